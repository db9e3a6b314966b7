"""Parts of the page about the writers of a site."""
