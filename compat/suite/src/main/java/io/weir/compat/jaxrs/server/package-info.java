/** What the tests of the JAX-RS adapter need: an application on a real server, and its clients. */
@NullMarked
package io.weir.compat.jaxrs.server;

import org.jspecify.annotations.NullMarked;
