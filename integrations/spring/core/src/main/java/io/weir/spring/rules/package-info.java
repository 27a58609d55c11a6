/** Opens rules in a database of a Spring application. */
@NullMarked
package io.weir.spring.rules;

import org.jspecify.annotations.NullMarked;
