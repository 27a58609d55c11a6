package io.weir.internal.access;

import io.weir.access.AccessEntry;
import io.weir.internal.value.AddressBits;

/**
 * An entry about addresses, with its block, which takes time to parse. Immutable.
 *
 * @param block the block of its subject
 */
record BlockEntry(AddressBits block, AccessEntry entry) {
  static BlockEntry of(AccessEntry entry) {
    return new BlockEntry(SubjectReader.block(entry.subject()), entry);
  }
}
