"""How the app is served: who may talk to it."""
