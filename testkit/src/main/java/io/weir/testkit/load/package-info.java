/** Who asks how often: the load of a simulated cluster. */
@NullMarked
package io.weir.testkit.load;

import org.jspecify.annotations.NullMarked;
