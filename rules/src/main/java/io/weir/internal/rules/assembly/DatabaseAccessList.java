package io.weir.internal.rules.assembly;

import io.weir.access.AccessEntry;
import io.weir.access.AccessSubject;
import io.weir.internal.rules.bans.BanWriter;
import io.weir.internal.rules.feed.CurrentAccessList;
import io.weir.spi.AccessListSource;
import java.util.List;
import java.util.function.Consumer;

/** Gives an application the rows of {@code access_list}, and writes the bans that it makes. */
record DatabaseAccessList(CurrentAccessList rows, BanWriter bans) implements AccessListSource {
  @Override
  public void follow(Consumer<List<AccessEntry>> listener) {
    rows.follow(listener);
  }

  @Override
  public void followBans(Consumer<List<AccessEntry>> listener) {
    rows.followBans(listener);
  }

  @Override
  public boolean keepsBans() {
    return bans.mayWrite();
  }

  @Override
  public void ban(AccessEntry ban, String policy) {
    bans.add(ban, policy);
  }

  @Override
  public void lift(AccessSubject subject) {
    bans.lift(subject);
  }
}
