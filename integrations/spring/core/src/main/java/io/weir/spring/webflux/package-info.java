/** Limits the handlers of Spring WebFlux, without blocking. */
@NullMarked
package io.weir.spring.webflux;

import org.jspecify.annotations.NullMarked;
