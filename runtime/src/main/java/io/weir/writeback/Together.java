package io.weir.writeback;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Offer;
import io.weir.store.Bucket;
import io.weir.store.Wish;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides a request of several policies by the leases at hand: all of it or nothing.
 *
 * <p>It looks first, so that what can't be met takes nothing; then it spends of one lease after the
 * other. Where another thread was faster with one of them, what the others gave goes back into
 * them, and the request is decided as if this hadn't been tried. All are spent at one time, so that
 * none ends while another is being spent.
 *
 * <p>Safe for concurrent use, without locks unless something goes back.
 */
final class Together {
  private final Entries entries;

  Together(Entries entries) {
    this.entries = entries;
  }

  /**
   * An admission by each, in order; null, and nothing is taken, if the leases don't hold it all.
   */
  @Nullable List<Decision> decide(List<Offer> offers, List<Key> keys, long now) {
    List<Entry> asked = find(offers, keys, now);
    return asked == null ? null : spend(asked, offers, keys, now);
  }

  private @Nullable List<Entry> find(List<Offer> offers, List<Key> keys, long now) {
    List<Entry> asked = new ArrayList<>(offers.size());
    for (int i = 0; i < offers.size(); i++) {
      Offer offer = offers.get(i);
      Entry entry = entries.find(offer.policy().shape(), keys.get(i));
      if (entry == null || !entry.wouldAdmit(offer, now)) {
        return null;
      }
      asked.add(entry);
    }
    return asked;
  }

  private @Nullable List<Decision> spend(
      List<Entry> asked, List<Offer> offers, List<Key> keys, long now) {
    List<Decision> parts = new ArrayList<>(asked.size());
    for (int i = 0; i < asked.size(); i++) {
      Decision part = asked.get(i).admit(offers.get(i), keys.get(i), now);
      if (part == null) {
        putBack(parts, asked, offers, now);
        return null;
      }
      parts.add(part);
    }
    return parts;
  }

  private void putBack(List<Decision> parts, List<Entry> asked, List<Offer> offers, long now) {
    for (int i = 0; i < parts.size(); i++) {
      Decision part = parts.get(i);
      Entry entry = asked.get(i);
      if (!entry.unspend(part.stamp(), part.permits(), now)) {
        Wish wish = new Wish(offers.get(i), new Bucket(part.policy().shape(), part.key()), false);
        while (!entry.putBack(part.stamp(), part.permits(), now)) {
          entry = entries.of(wish); // that one was evicted meanwhile
        }
      }
    }
  }
}
