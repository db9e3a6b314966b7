"""The library file: connections, migrations, and records as rows."""
