/**
 * What an application or a module may bring: who is calling, of which tier, by which further
 * policies, how busy the node is, where decisions are measured. Given to {@link
 * io.weir.WeirBuilder} or found by {@code ServiceLoader}.
 */
@NullMarked
package io.weir.spi;

import org.jspecify.annotations.NullMarked;
