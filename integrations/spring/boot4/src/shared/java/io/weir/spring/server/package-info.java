/** Whose address counts, on each embedded server, whatever it does with forwarded fields. */
@NullMarked
package io.weir.spring.server;

import org.jspecify.annotations.NullMarked;
