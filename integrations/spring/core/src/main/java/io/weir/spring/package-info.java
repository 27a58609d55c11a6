/**
 * Limits the endpoints and beans of Spring applications by annotations. A starter for Spring Boot
 * brings it in and configures it; an application rarely names a class of this package.
 */
@NullMarked
package io.weir.spring;

import org.jspecify.annotations.NullMarked;
