package io.weir.internal.rules.database;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Maps the columns of one row to their texts. The rows of a table share the names, so that tens of
 * thousands of them take little memory.
 *
 * <p>Immutable.
 */
final class RowTexts extends AbstractMap<String, String> {
  private final ColumnNames names;
  private final @Nullable String[] texts;

  /**
   * Takes both as they are.
   *
   * @param texts in the order of the names; null where there is none
   */
  RowTexts(ColumnNames names, @Nullable String[] texts) {
    this.names = names;
    this.texts = texts;
  }

  /** Returns an equal map of which all that is in an older one as well is the same object. */
  RowTexts sharing(RowTexts older) {
    if (!names.equals(older.names)) {
      return this;
    }
    @Nullable String[] shared = texts.clone();
    for (int i = 0; i < shared.length; i++) {
      String text = shared[i];
      if (text != null && text.equals(older.texts[i])) {
        shared[i] = older.texts[i];
      }
    }
    return new RowTexts(older.names, shared);
  }

  @Override
  public @Nullable String get(@Nullable Object name) {
    int place = names.place(name);
    return place < 0 ? null : texts[place];
  }

  @Override
  public boolean containsKey(@Nullable Object name) {
    return get(name) != null;
  }

  @Override
  public int size() {
    int size = 0;
    for (String text : texts) {
      size += text == null ? 0 : 1;
    }
    return size;
  }

  @Override
  public Set<Entry<String, String>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public Iterator<Entry<String, String>> iterator() {
        return entries().iterator();
      }

      @Override
      public int size() {
        return RowTexts.this.size();
      }
    };
  }

  private List<Entry<String, String>> entries() {
    List<Entry<String, String>> entries = new ArrayList<>(texts.length);
    for (int i = 0; i < texts.length; i++) {
      String text = texts[i];
      if (text != null) {
        entries.add(Map.entry(names.name(i), text));
      }
    }
    return List.copyOf(entries);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RowTexts that && names.equals(that.names)
        ? Arrays.equals(texts, that.texts)
        : super.equals(other);
  }

  @Override
  public int hashCode() {
    return super.hashCode();
  }
}
