"""The words of the Library, Export and Mystery game pages, in Simplified Chinese."""
