"""How the app is served: who may talk to it, and, on a site for several writers, as whom."""
