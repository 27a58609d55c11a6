package io.weir.internal.ban;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.Ticker;
import io.weir.access.AccessEntry;
import io.weir.access.AccessSubject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Bans are found by the exact key until they end or are lifted. */
class BanListTest {
  private static final Key ALICE = Key.user("alice");
  private static final Key ADDRESS = Key.address("203.0.113.7");

  private int looks;
  private final AtomicLong micros = new AtomicLong(1_000_000);
  private final BanList bans =
      new BanList(
          new Ticker() {
            @Override
            public long nanoTime() {
              return micros.get() * 1_000;
            }

            @Override
            public long epochMicros() {
              looks++;
              return micros.get();
            }
          },
          2);

  private AccessEntry ban(AccessSubject subject, int seconds) {
    Instant now = Instant.EPOCH.plusNanos(micros.get() * 1_000);
    return AccessEntry.ban(subject, now.plusSeconds(seconds));
  }

  private void pass(int seconds) {
    micros.addAndGet(seconds * 1_000_000L);
  }

  @Test
  void aBanIsOfOnePolicyOrOfTheApplication() {
    assertTrue(bans.isEmptyForApplication());
    assertTrue(bans.add(ban(KeyText.ofPolicy("login", ALICE), 10)));
    assertTrue(bans.ofPolicy("login", ALICE).isPresent());
    assertEquals(Optional.empty(), bans.ofPolicy("api", ALICE));
    assertEquals(Optional.empty(), bans.ofPolicy("login", ADDRESS));
    assertEquals(Optional.empty(), bans.ofApplication(ALICE));
    assertTrue(bans.isEmptyForApplication());
    assertTrue(bans.add(ban(AccessSubject.parse("203.0.113.7"), 10)));
    assertTrue(bans.ofApplication(ADDRESS).isPresent());
    assertEquals(Optional.empty(), bans.ofPolicy("login", ADDRESS));
    assertFalse(bans.isEmptyForApplication());
    assertEquals(2, bans.inForce().size());
  }

  @Test
  void aBanEnds() {
    bans.add(ban(KeyText.ofPolicy("login", ALICE), 10));
    pass(9);
    assertTrue(bans.ofPolicy("login", ALICE).isPresent());
    pass(1);
    assertEquals(Optional.empty(), bans.ofPolicy("login", ALICE));
    assertEquals(List.of(), bans.inForce());
    assertFalse(bans.lift(KeyText.ofPolicy("login", ALICE)), "it has ended");
  }

  @Test
  void theLaterEndHolds() {
    AccessSubject subject = KeyText.ofPolicy("login", ALICE);
    AccessEntry later = ban(subject, 20);
    bans.add(later);
    bans.add(ban(subject, 10));
    assertEquals(List.of(later), bans.inForce());
    bans.setKept(List.of(ban(subject, 5)));
    assertEquals(List.of(later), bans.inForce());
    AccessEntry latest = ban(subject, 30);
    bans.setKept(List.of(latest));
    assertEquals(List.of(latest), bans.inForce());
  }

  @Test
  void aRealBanHoldsBesideALongerOneInShadowMode() {
    AccessSubject subject = KeyText.ofPolicy("login", ALICE);
    AccessEntry real = ban(subject, 10);
    AccessEntry trial = ban(subject, 20).inShadow();
    bans.add(trial);
    bans.add(real);
    assertEquals(List.of(real), bans.inForce());
    bans.setKept(List.of(trial));
    assertEquals(List.of(real), bans.inForce());
    bans.add(trial);
    assertEquals(List.of(real), bans.inForce());
    pass(10);
    bans.setKept(List.of(trial));
    assertEquals(List.of(trial), bans.inForce());
  }

  @Test
  void theSourceMayShortenWhatItKeeps() {
    AccessSubject subject = KeyText.ofPolicy("login", ALICE);
    bans.setKept(List.of(ban(subject, 20)));
    AccessEntry shorter = ban(subject, 5);
    bans.setKept(List.of(shorter));
    assertEquals(List.of(shorter), bans.inForce());
  }

  @Test
  void aListOfTheSourceLiftsWhatItHadButNotWhatItHasNotSeen() {
    AccessEntry own = ban(KeyText.ofPolicy("login", ALICE), 10);
    AccessEntry other = ban(KeyText.ofPolicy("login", ADDRESS), 10);
    bans.add(own);
    bans.setKept(List.of(other));
    assertEquals(2, bans.inForce().size());
    bans.setKept(List.of());
    assertEquals(List.of(own), bans.inForce());
    bans.setKept(List.of(own));
    bans.setKept(List.of());
    assertEquals(List.of(), bans.inForce());
  }

  @Test
  void aLiftedBanStaysLiftedThoughTheSourceIsLate() {
    AccessSubject subject = KeyText.ofPolicy("login", ALICE);
    AccessEntry ban = ban(subject, 10);
    bans.setKept(List.of(ban));
    assertTrue(bans.lift(subject));
    assertFalse(bans.lift(subject));
    bans.setKept(List.of(ban));
    assertEquals(Optional.empty(), bans.ofPolicy("login", ALICE));
    bans.setKept(List.of());
    bans.setKept(List.of(ban));
    assertTrue(bans.ofPolicy("login", ALICE).isPresent(), "made again");
  }

  @Test
  void aBanThatIsMadeAgainAfterItWasLiftedHolds() {
    AccessSubject subject = KeyText.ofPolicy("login", ALICE);
    bans.setKept(List.of(ban(subject, 10)));
    bans.lift(subject);
    pass(1);
    assertTrue(bans.add(ban(subject, 5)));
    assertTrue(bans.ofPolicy("login", ALICE).isPresent());
  }

  @Test
  void thereIsRoomForSoManyOfAPolicy() {
    assertTrue(bans.add(ban(KeyText.ofPolicy("login", Key.user("a")), 10)));
    assertTrue(bans.add(ban(KeyText.ofPolicy("login", Key.user("b")), 20)));
    assertFalse(bans.add(ban(KeyText.ofPolicy("login", Key.user("c")), 20)));
    assertTrue(bans.add(ban(KeyText.ofPolicy("login", Key.user("b")), 30)), "it is one of them");
    assertTrue(bans.add(ban(KeyText.ofPolicy("api", Key.user("c")), 20)));
    pass(10);
    assertTrue(bans.add(ban(KeyText.ofPolicy("login", Key.user("c")), 20)), "one has ended");
    bans.setKept(List.of(ban(KeyText.ofPolicy("login", Key.user("d")), 20)));
    assertEquals(Optional.empty(), bans.ofPolicy("login", Key.user("d")));
  }

  @Test
  void roomIsSoughtOnceASecond() {
    bans.add(ban(KeyText.ofPolicy("login", Key.user("a")), 10));
    bans.add(ban(KeyText.ofPolicy("login", Key.user("b")), 20));
    AccessEntry another = ban(KeyText.ofPolicy("login", Key.user("c")), 20);
    looks = 0;
    for (int i = 0; i < 100; i++) {
      assertFalse(bans.add(another));
    }
    assertTrue(looks <= 2, () -> looks + " looks at bans, which are many");
    pass(10);
    assertTrue(bans.add(another));
  }
}
