"""How good a text is: measured, judged by models that are judged first, and compared."""
