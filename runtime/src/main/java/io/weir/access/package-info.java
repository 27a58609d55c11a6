/**
 * Access lists: callers that are denied, and callers that limits don't refuse. Their entries come
 * from settings, a file, or an {@link io.weir.spi.AccessListSource}.
 */
@NullMarked
package io.weir.access;

import org.jspecify.annotations.NullMarked;
