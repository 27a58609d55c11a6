/** Jersey 3.1 on Grizzly and Tomcat 10.1. */
@NullMarked
package io.weir.compat.jersey31;

import org.jspecify.annotations.NullMarked;
