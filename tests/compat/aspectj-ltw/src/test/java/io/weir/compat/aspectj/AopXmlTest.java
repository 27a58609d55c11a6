package io.weir.compat.aspectj;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class AopXmlTest extends WovenTest {
  private final Letters letters = new Letters.Desk();

  @Test
  void anAspectMadeByAopXmlLimitsWhatInheritsFromAnInterfaceWhereThereIsAnAgent() {
    letters.seal();
    if (WeavingTest.atCompileTime()) {
      assertEquals("sealed", letters.seal());
    } else {
      assertEquals("Letters", assertRefused(letters::seal).policy().name());
    }
  }

  @Test
  void whatEveryObjectHasStaysFree() {
    assertEquals("desk", letters.toString());
    assertEquals("desk", letters.toString());
  }
}
