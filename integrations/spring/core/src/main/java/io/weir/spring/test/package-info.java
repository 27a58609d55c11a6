/** Lets tests of a Spring application move the time of its limits. */
@NullMarked
package io.weir.spring.test;

import org.jspecify.annotations.NullMarked;
