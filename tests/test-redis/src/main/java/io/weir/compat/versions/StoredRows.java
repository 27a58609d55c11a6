package io.weir.compat.versions;

import io.weir.store.LeasingStore;
import java.util.List;
import java.util.function.LongSupplier;

/** The rows of one store, which nothing else uses, as text. */
public interface StoredRows {
  /**
   * Opens a node that remembers nothing.
   *
   * @param micros the store's clock, since the epoch
   */
  LeasingStore open(LongSupplier micros);

  /**
   * Reads all rows, once nobody writes them any more.
   *
   * @param step the step that was played last, for the names of nodes that are drawn at random
   * @return one line for each, in any order; the same for the same claims at the same times
   */
  List<String> read(int step);

  /** Replaces all rows by others, and makes what holds them if it is missing. */
  void replace(List<String> rows);
}
