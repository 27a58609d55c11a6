/** Opens rules in a database of a Micronaut application. */
@NullMarked
package io.weir.micronaut.rules;

import org.jspecify.annotations.NullMarked;
