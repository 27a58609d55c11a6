/** An application in a package below those of Spring, as Spring's samples are. */
@NullMarked
package org.springframework.samples.petclinic;

import org.jspecify.annotations.NullMarked;
