package io.weir.internal.control.settings;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SignInAddressTest {
  @Test
  void pathsAndAddressesOfPagesAreTaken() {
    for (String each :
        List.of(
            "/login",
            "login?to=console#x",
            "../login",
            "//sso.example/login",
            "https://sso.example/login?x=1",
            "HTTP://sso.example")) {
      assertDoesNotThrow(() -> SignInAddress.check(any -> each), each);
      assertEquals(Optional.of(each), SignInAddress.of(any -> " " + each), each);
    }
    for (String none : List.of("", " ")) {
      assertDoesNotThrow(() -> SignInAddress.check(any -> none));
      assertEquals(Optional.empty(), SignInAddress.of(any -> none));
    }
  }

  @Test
  void whatIsNoPageIsRefusedByName() {
    for (String each :
        List.of(
            "javascript:alert(1)",
            "JavaScript:alert(1)",
            " javascript:alert(1)",
            "java\tscript:alert(1)",
            "data:text/html,x",
            "file:///etc/passwd",
            "https:",
            "https:login",
            "\\\\evil.example",
            "/lo gin")) {
      String message =
          assertThrows(IllegalArgumentException.class, () -> SignInAddress.check(any -> each), each)
              .getMessage();
      assertTrue(message.startsWith("weir.control.sign-in = '"), message);
      assertTrue(message.contains("must be a path such as /login"), message);
      assertEquals(Optional.empty(), SignInAddress.of(any -> each), each);
    }
  }
}
