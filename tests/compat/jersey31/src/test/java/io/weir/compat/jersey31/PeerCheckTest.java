package io.weir.compat.jersey31;

import io.weir.compat.jaxrs.PeerCheckTests;

class PeerCheckTest extends PeerCheckTests {}
