package io.weir.internal.access;

import io.weir.InvalidSettingException;
import io.weir.access.AccessEntry;
import io.weir.access.AccessSubject;
import io.weir.internal.key.ClientAddress;
import io.weir.internal.settings.SettingsSnapshot;
import io.weir.internal.value.AddressBits;
import io.weir.spi.KeyResolver;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Holds what settings say of access lists. Immutable.
 *
 * @param keyExpression reads keys; empty if none is read
 * @param entries those of {@code weir.access.deny} and {@code weir.access.allow}
 * @param isSet whether any of the three is set, even to nothing
 */
record AccessSettings(
    SubjectReader reader,
    String keyExpression,
    List<AccessEntry> entries,
    Optional<Path> file,
    boolean isSet) {
  private static final String DENY = "weir.access.deny";
  private static final String ALLOW = "weir.access.allow";
  private static final String FILE = "weir.access.file";
  private static final String KEY = "weir.access.key";
  private static final String KEY_ENTRY = "key:";
  private static final String CALLER = "weir.rules.caller";

  /**
   * Reads settings.
   *
   * @throws InvalidSettingException if an entry can't be used
   */
  static AccessSettings of(
      SettingsSnapshot now,
      ClientAddress addresses,
      Function<String, KeyResolver> readers,
      Map<String, KeyResolver> resolvers) {
    String expression = now.find(KEY).orElseGet(() -> now.value(CALLER)).strip();
    @Nullable KeyResolver key = expression.isEmpty() ? null : key(now, expression, readers);
    SubjectReader reader = new SubjectReader(addresses, key, resolvers);
    List<AccessEntry> entries = new ArrayList<>();
    add(now, DENY, reader, AccessEntry::deny, entries);
    checkTogether(now, entries);
    add(now, ALLOW, reader, AccessEntry::allow, entries);
    Optional<Path> file =
        now.find(FILE).filter(text -> !text.isBlank()).map(text -> path(now, text));
    boolean isSet =
        List.of(DENY, ALLOW, FILE).stream().anyMatch(each -> now.find(each).isPresent());
    return new AccessSettings(reader, expression, List.copyOf(entries), file, isSet);
  }

  private static KeyResolver key(
      SettingsSnapshot now, String expression, Function<String, KeyResolver> readers) {
    try {
      return readers.apply(expression);
    } catch (IllegalArgumentException mistake) {
      throw now.invalid(
          now.find(KEY).isPresent() ? KEY : CALLER, String.valueOf(mistake.getMessage()));
    }
  }

  private static void add(
      SettingsSnapshot now,
      String name,
      SubjectReader reader,
      Function<AccessSubject, AccessEntry> entry,
      List<AccessEntry> entries) {
    for (String each : now.list(name)) {
      try {
        AccessSubject subject = AccessSubject.parse(each);
        reader.mistake(subject).ifPresent(rule -> fail(rule));
        entries.add(entry.apply(subject));
      } catch (IllegalArgumentException mistake) {
        String shown = each.startsWith(KEY_ENTRY) ? KEY_ENTRY + "…" : each; // it may be a secret
        throw now.invalid(name, "the entry '" + shown + "' " + mistake.getMessage());
      }
    }
  }

  private static void checkTogether(SettingsSnapshot now, List<AccessEntry> denied) {
    List<AddressBits> blocks =
        denied.stream()
            .map(AccessEntry::subject)
            .filter(each -> each.type() == AccessSubject.Type.ADDRESS)
            .map(SubjectReader::block)
            .toList();
    for (DenialBound bound : DenialBound.values()) {
      bound
          .mistake(blocks)
          .ifPresent(
              rule -> {
                throw now.invalid(DENY, "an entry " + rule);
              });
    }
  }

  private static void fail(String rule) {
    throw new IllegalArgumentException(rule);
  }

  private static Path path(SettingsSnapshot now, String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException malformed) {
      throw now.invalid(FILE, "must be the path of a file: " + malformed.getMessage());
    }
  }
}
