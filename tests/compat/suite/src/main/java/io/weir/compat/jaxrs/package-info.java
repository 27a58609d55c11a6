/**
 * Tests the JAX-RS adapter over HTTP. {@link io.weir.compat.jaxrs.JaxrsSuite} is the one to extend;
 * each of the interfaces holds the tests of one topic, beside the resources that they need.
 */
@NullMarked
package io.weir.compat.jaxrs;

import org.jspecify.annotations.NullMarked;
