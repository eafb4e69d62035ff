"""Hermann, Faure and Raffin 2008: contact points by rays."""
