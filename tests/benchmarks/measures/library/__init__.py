"""What a chapter adds to the library, table by table."""
