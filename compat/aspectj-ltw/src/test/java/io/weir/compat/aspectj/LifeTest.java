package io.weir.compat.aspectj;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.guard.Weir;
import io.weir.policy.InvalidPolicyException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LifeTest extends WovenTest {
  private final Methods methods = new Methods();

  @Test
  void aMistakeSurfacesAtEveryCallAndNamesTheMethod() {
    for (int i = 0; i < 2; i++) {
      InvalidPolicyException mistake =
          assertThrows(InvalidPolicyException.class, () -> new Mistaken().nothingAtAll());
      assertTrue(mistake.getMessage().contains("Mistaken#nothingAtAll"), mistake.getMessage());
    }
  }

  @Test
  void aNewWeirCountsAnew() {
    methods.composed();
    assertRefused(methods::composed);
    weir.close();
    weir = Weir.builder().ticker(ticker).build().install();
    methods.composed();
    assertRefused(methods::composed);
  }

  @Test
  void switchedOffNothingIsLimited() {
    weir.close();
    weir = Weir.builder().settings(Map.of("weir.enabled", "false")).build().install();
    methods.composed();
    methods.composed();
    assertEquals(2, methods.runs());
  }

  @Test
  void settingsOverrideAnnotations() {
    weir.close();
    Map<String, String> settings = Map.of("weir.policy.Methods.composed.limit", "2");
    weir = Weir.builder().settings(settings).ticker(ticker).build().install();
    methods.composed();
    methods.composed();
    assertRefused(methods::composed);
  }

  @Test
  void aParameterThatTheMethodDoesNotHaveIsAMistake() {
    Sms sms = new Sms();
    for (int i = 0; i < 2; i++) {
      InvalidPolicyException mistake =
          assertThrows(InvalidPolicyException.class, () -> sms.misspelt("1"));
      String says = mistake.getMessage();
      assertTrue(says.contains("Sms#misspelt: key = param:fone"), says);
      assertTrue(says.contains("[phone]"), says);
    }
  }

  @Test
  void aThreadOfNobodyFindsTheWeirOfTheClass() {
    methods.composed();
    Thread thread = Thread.currentThread();
    ClassLoader own = thread.getContextClassLoader();
    thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
    try {
      assertRefused(methods::composed);
    } finally {
      thread.setContextClassLoader(own);
    }
  }
}
