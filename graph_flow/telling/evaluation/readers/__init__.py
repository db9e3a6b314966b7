"""What people who read a text say of it: how far they agree, and which weights fit their ratings."""
