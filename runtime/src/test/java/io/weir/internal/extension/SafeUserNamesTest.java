package io.weir.internal.extension;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.spi.UserNames;
import io.weir.test.log.LogLines;
import java.security.Principal;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SafeUserNamesTest {
  private static final Principal ANN = () -> "ann";

  @Test
  void aUserHasTheNameOfItsPrincipalUnlessThatHasNone() {
    assertEquals(Optional.of("ann"), SafeUserNames.PLAIN.name(ANN));
    assertEquals(Optional.empty(), SafeUserNames.PLAIN.issuer(ANN));
    assertEquals(
        Optional.empty(),
        SafeUserNames.PLAIN.name(
            () -> {
              throw new IllegalStateException("on purpose");
            }));
  }

  @Test
  void whoeverCannotBeNamedHasNoUserAndTheFirstFailureIsLogged() {
    UserNames broken =
        new SafeUserNames(
            new UserNames() {
              @Override
              public Optional<String> name(Principal principal) {
                throw new IllegalStateException("on purpose");
              }

              @Override
              public Optional<String> issuer(Principal principal) {
                throw new IllegalStateException("on purpose");
              }
            });
    try (LogLines log = new LogLines(SafeUserNames.class)) {
      assertEquals(Optional.empty(), broken.name(ANN));
      assertEquals(Optional.empty(), broken.issuer(ANN));
      assertEquals(1, log.containing("UserNames").size());
    }
  }
}
