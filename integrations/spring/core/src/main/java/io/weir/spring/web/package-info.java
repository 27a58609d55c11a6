/** Limits the handlers of Spring MVC. */
@NullMarked
package io.weir.spring.web;

import org.jspecify.annotations.NullMarked;
