/** What Weir adds to a request of a web server: servlet filter and JAX-RS feature. */
@NullMarked
package io.weir.benchmarks.http;

import org.jspecify.annotations.NullMarked;
