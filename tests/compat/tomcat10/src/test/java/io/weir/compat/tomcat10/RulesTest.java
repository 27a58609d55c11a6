package io.weir.compat.tomcat10;

import io.weir.compat.rules.ServletRuleSuite;
import io.weir.compat.servlet.TomcatServer;
import io.weir.seeds.RunOneIn;

@RunOneIn(5)
class RulesTest extends ServletRuleSuite implements TomcatServer {}
