/** Starts applications on real servers for the tests of the JAX-RS adapter, and sends requests. */
@NullMarked
package io.weir.compat.jaxrs.server;

import org.jspecify.annotations.NullMarked;
