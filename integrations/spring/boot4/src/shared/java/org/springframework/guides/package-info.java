/** An application in a package below those of Spring that isn't named as a sample. */
@NullMarked
package org.springframework.guides;

import org.jspecify.annotations.NullMarked;
