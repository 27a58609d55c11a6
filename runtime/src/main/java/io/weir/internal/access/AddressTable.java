package io.weir.internal.access;

import io.weir.access.AccessEntry;
import io.weir.internal.value.AddressBits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Finds the entries for blocks that contain an address, the longest prefix first: a trie, flattened
 * into arrays. The blocks are sorted, those that contain others before them, and each knows the
 * next larger one. A binary search finds the last block that begins at or before the address; it,
 * or one of those around it, is the smallest that contains the address.
 *
 * <p>The trie of the library that parses addresses takes several times as long, to fill and to ask.
 *
 * <p>Immutable.
 */
final class AddressTable {
  private static final int NONE = -1;

  private final AddressBits[] blocks;
  private final List<List<AccessEntry>> entries;

  /** The first address of each block, whose bits a search compares without other objects. */
  private final long[] high;

  private final long[] low;

  /** The next larger block around each. */
  private final int[] around;

  AddressTable(List<BlockEntry> ofAddresses) {
    Map<AddressBits, List<AccessEntry>> sorted = new TreeMap<>();
    for (BlockEntry each : ofAddresses) {
      AccessEntries.add(
          each.entry(), sorted.computeIfAbsent(each.block(), any -> new ArrayList<>(1)));
    }
    this.blocks = sorted.keySet().toArray(AddressBits[]::new);
    this.entries = new ArrayList<>(sorted.values());
    this.high = new long[blocks.length];
    this.low = new long[blocks.length];
    this.around = new int[blocks.length];
    for (int i = 0; i < blocks.length; i++) {
      high[i] = blocks[i].high();
      low[i] = blocks[i].low();
      around[i] = around(i - 1, blocks[i]);
    }
  }

  boolean isEmpty() {
    return blocks.length == 0;
  }

  /**
   * Considers the entries that contain an address, up to the first that applies. Those of IPv6
   * aren't about addresses of IPv4, however few bits they have.
   */
  void search(AddressBits address, AccessSearch search) {
    search.nextSubject();
    int at = around(lastUpTo(address), address);
    while (at != NONE
        && !(blocks[at].isIPv4() == address.isIPv4() && search.consider(entries.get(at)))) {
      at = around[at];
    }
  }

  /** Returns the smallest block around another, of a block and those around it. */
  private int around(int from, AddressBits block) {
    int at = from;
    while (at != NONE && !blocks[at].isPrefixOf(block)) {
      at = around[at];
    }
    return at;
  }

  /** Returns the last block that begins at or before an address. */
  private int lastUpTo(AddressBits address) {
    int from = 0;
    int to = blocks.length;
    while (from < to) {
      int middle = (from + to) >>> 1;
      int order = Long.compareUnsigned(high[middle], address.high());
      if (order == 0) {
        order = Long.compareUnsigned(low[middle], address.low());
      }
      if (order <= 0) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from - 1;
  }
}
