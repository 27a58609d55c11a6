/** The load of a simulated cluster: callers and their requests. */
@NullMarked
package io.weir.testkit.load;

import org.jspecify.annotations.NullMarked;
