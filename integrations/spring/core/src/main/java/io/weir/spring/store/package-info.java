/** Connects the store to the Redis of a Spring application. */
@NullMarked
package io.weir.spring.store;

import org.jspecify.annotations.NullMarked;
