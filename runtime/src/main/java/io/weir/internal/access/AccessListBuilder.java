package io.weir.internal.access;

import io.weir.Ticker;
import io.weir.access.AccessAction;
import io.weir.access.AccessEntry;
import io.weir.access.AccessSubject;
import io.weir.internal.value.AddressBits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes a list of the valid entries of several sources. Where one source brings the denied
 * addresses beyond their {@link DenialBound}, its largest blocks are left out: they are the likely
 * mistake.
 *
 * <p>Confine to one thread.
 */
final class AccessListBuilder {
  private final SubjectReader reader;
  private final Ticker ticker;
  private final List<AccessEntry> others = new ArrayList<>();
  private final List<BlockEntry> blocks = new ArrayList<>();

  AccessListBuilder(SubjectReader reader, Ticker ticker) {
    this.reader = reader;
    this.ticker = ticker;
  }

  /** Adds the valid entries of one source, and returns the mistakes in the others. */
  AccessMistakes add(List<AccessEntry> ofSource) {
    AccessMistakes mistakes = new AccessMistakes();
    List<BlockEntry> added = new ArrayList<>();
    for (AccessEntry each : ofSource) {
      if (each.action() == AccessAction.BAN) {
        mistakes.add(each.subject() + ": must deny or allow: bans are made by Weir");
      } else if (each.subject().type() == AccessSubject.Type.ADDRESS) {
        BlockEntry parsed = BlockEntry.of(each);
        if (isValid(each, reader.mistake(parsed.block()), mistakes)) {
          added.add(parsed);
        }
      } else if (isValid(each, reader.mistake(each.subject()), mistakes)) {
        others.add(each);
      }
    }
    for (DenialBound bound : DenialBound.values()) {
      keepWithin(bound, added, mistakes);
    }
    blocks.addAll(added);
    return mistakes;
  }

  private static boolean isValid(
      AccessEntry entry, Optional<String> mistake, AccessMistakes mistakes) {
    mistake.ifPresent(rule -> mistakes.add(entry.subject() + ": " + rule));
    return mistake.isEmpty();
  }

  private void keepWithin(DenialBound bound, List<BlockEntry> added, AccessMistakes mistakes) {
    Optional<String> rule = mistake(bound, added);
    while (rule.isPresent()) {
      int largest =
          added.stream()
              .filter(each -> isDenied(bound, each))
              .mapToInt(each -> each.block().length())
              .min()
              .orElseThrow(); // what was added before is within the bound
      String broken = rule.get();
      added.removeIf(
          each ->
              isDenied(bound, each)
                  && each.block().length() == largest
                  && !isValid(each.entry(), Optional.of(broken), mistakes));
      rule = mistake(bound, added);
    }
  }

  private Optional<String> mistake(DenialBound bound, List<BlockEntry> added) {
    List<AddressBits> denied =
        Stream.concat(blocks.stream(), added.stream())
            .filter(each -> isDenied(bound, each))
            .map(BlockEntry::block)
            .toList();
    return bound.mistake(denied);
  }

  private boolean isDenied(DenialBound bound, BlockEntry each) {
    AccessEntry entry = each.entry();
    return bound.concerns(each.block())
        && entry.action() == AccessAction.DENY
        && !entry.isShadow()
        && AccessEntries.isActive(entry, ticker);
  }

  /** Returns the list; null if it has no entry. */
  @Nullable AccessList build() {
    return others.isEmpty() && blocks.isEmpty() ? null : new AccessList(reader, others, blocks);
  }
}
