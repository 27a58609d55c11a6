package io.weir.internal.http;

import io.weir.adapter.HeaderField;
import java.util.AbstractList;
import java.util.RandomAccess;

/**
 * Lists the header fields of one response without a copy of their array: each request has a list.
 *
 * <p>Immutable.
 */
final class FieldList extends AbstractList<HeaderField> implements RandomAccess {
  private final HeaderField[] fields;

  /** Takes an array that isn't changed afterwards. */
  FieldList(HeaderField[] fields) {
    this.fields = fields;
  }

  @Override
  public HeaderField get(int index) {
    return fields[index];
  }

  @Override
  public int size() {
    return fields.length;
  }
}
