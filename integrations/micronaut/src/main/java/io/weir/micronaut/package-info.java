/** Limits controllers and beans of Micronaut by their annotations. */
@NullMarked
package io.weir.micronaut;

import org.jspecify.annotations.NullMarked;
