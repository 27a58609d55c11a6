package io.weir.compat.jersey40;

import io.weir.compat.jaxrs.PeerCheckTests;

class PeerCheckTest extends PeerCheckTests {}
