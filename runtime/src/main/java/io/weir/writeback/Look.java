package io.weir.writeback;

import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.Wish;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A wish that only looks, and that this node doesn't know the answer to.
 *
 * <p>Goes to the store apart from what its bucket claims, since it may be about another capacity.
 */
final class Look implements Asker, Flight {
  private final Entry entry;
  private final Taking taking;
  private final int index;

  Look(Entry entry, Taking taking, int index) {
    this.entry = entry;
    this.taking = taking;
    this.index = index;
  }

  @Override
  public boolean hurries() {
    return true;
  }

  @Override
  public Flight depart(long now, Afterwards after) {
    return this;
  }

  @Override
  public void stay(Afterwards after) {
    after.add(() -> taking.answer(index, Optional.empty()));
  }

  @Override
  public Claim claim() {
    Wish wish = taking.wish(index);
    return Claim.look(wish.bucket(), wish.permits(), wish.capacity(), wish.burst());
  }

  @Override
  public @Nullable Asker answered(Grant grant, Sending sent, boolean late, Afterwards after) {
    if (!late && !sent.stands()) {
      stay(after);
    } else if (!late) {
      Grant answer = entry.looked(taking.wish(index), grant);
      after.add(() -> taking.answer(index, Optional.of(answer)));
    }
    return null;
  }

  @Override
  public @Nullable Asker unanswered(Sending sent, Afterwards after) {
    stay(after);
    return null;
  }
}
