/** Jersey 4.0 on Grizzly and Tomcat 11. */
@NullMarked
package io.weir.compat.jersey40;

import org.jspecify.annotations.NullMarked;
