/** Reports limits and their store through Spring Boot's Actuator. */
@NullMarked
package io.weir.spring.actuate;

import org.jspecify.annotations.NullMarked;
