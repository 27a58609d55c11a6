/** Measures the cost of Weir's servlet filter and JAX-RS feature per request of a web server. */
@NullMarked
package io.weir.benchmarks.http;

import org.jspecify.annotations.NullMarked;
