/**
 * The write-back cache of leases: a node takes permits from a shared store before it needs them,
 * spends them without asking again, and gives back what it doesn't use.
 *
 * <p>It knows no algorithm and no concrete store. Two rules carry everything: a permit is spent
 * only if the store has granted it before, and never after the slot of time that the store charged
 * it to.
 */
@NullMarked
package io.weir.internal.writeback;

import org.jspecify.annotations.NullMarked;
