/** Mounts the control API in a Spring application. */
@NullMarked
package io.weir.spring.control;

import org.jspecify.annotations.NullMarked;
