# title: The Lamp Room
# author: Ada Moor
-> title_page


=== title_page ===

The Lamp Room

Ada Moor

How does it begin?

+ [Mara opens the lamp room.] -> chapter_1
+ [Mara takes to the sea.] -> chapter_1a
+ [Mara waits for Hale.] -> chapter_1b


=== chapter_1 ===

1. Mara opens the lamp room

The door gave way.

\* \* \*

Beyond it was the lamp.

+ [Go on] -> chapter_2


=== chapter_2 ===

2. Hale follows her up

He came up the stairs.

How does it go on?

+ [The lamp is lit.] -> chapter_3
+ [The lamp is broken.] -> chapter_3c
+ [The tower burns down.] -> chapter_3d


=== chapter_3 ===

3. The lamp is lit

The lamp is lit, and it begins.

Then it is over.

Mara: “So.”

The end

-> END


=== chapter_1a ===

1. Mara takes to the sea

The boat was small.

How does it go on?

+ [She finds the island.] -> chapter_2a
+ [The boat is lost.] -> chapter_2e


=== chapter_2a ===

2. She finds the island

She finds the island, and it begins.

Then it is over.

Mara: “So.”

This is how it would have ended.

+ [Go back to where the ways part] -> title_page


=== chapter_1b ===

1. Mara waits for Hale

Mara waits for Hale, and it begins.

Then it is over.

Mara: “So.”

This is how it would have ended.

+ [Go back to where the ways part] -> title_page


=== chapter_3c ===

3. The lamp is broken

The lamp is broken, and it begins.

Then it is over.

Mara: “So.”

This is how it would have ended.

+ [Go back to where the ways part] -> after_chapter_2


=== chapter_3d ===

3. Sparks fall on the stairs

Sparks fall on the stairs, and it begins.

Then it is over.

Mara: “So.”

This is how it would have ended.

+ [Go back to where the ways part] -> after_chapter_2


=== after_chapter_2 ===

2. Hale follows her up

How does it go on?

+ [The lamp is lit.] -> chapter_3
+ [The lamp is broken.] -> chapter_3c
+ [The tower burns down.] -> chapter_3d


=== chapter_2e ===

2. The boat is lost

The boat is lost, and it begins.

Then it is over.

Mara: “So.”

This is how it would have ended.

+ [Go back to where the ways part] -> after_chapter_1a


=== after_chapter_1a ===

1. Mara takes to the sea

How does it go on?

+ [She finds the island.] -> chapter_2a
+ [The boat is lost.] -> chapter_2e
