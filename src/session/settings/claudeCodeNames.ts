/**
 * What Claude Code reads and Stopgate does not. The keys are those of `Settings` in sdk.d.ts of
 * @anthropic-ai/claude-agent-sdk 0.3.326, the variables those of its documentation that change how a headless run works.
 * tests/structure/claudeCodeNames.test.ts has what works and what only a screen needs; docs/claude-code-settings.md shows all.
 */
export const list = (names: string): readonly string[] => names.trim().split(/\s+/);

/** Of the screen, the desktop or remote sessions: a headless run of Claude Code does not use them either. */
export const SCREEN_KEYS = list(`
  $schema agentPushNotifEnabled allowClaudeInChromeWithManagedMcp allowedChannelPlugins askUserQuestionTimeout
  autoScrollEnabled autoUpdatesChannel autoUploadSessions bashEditDiffEnabled channelsEnabled companyAnnouncements
  crossSessionInbound daemonColdStart defaultView desktopSessionCleanupPeriodDays dialogExpiry disableAgentView
  disableDeepLinkRegistration disableRemoteControl disableReplyCheck disableWindowsBashCommandSplit editorMode
  emojiCompletionEnabled enableAllProjectMcpServers enabledMcpjsonServers fastModePerSessionOptIn feedbackDrafts feedbackSurveyRate fileSuggestion
  footerLinksRegexes inputNeededNotifEnabled isolatePeerMachines keybindingFlavor maxProseWidth modelPicker
  pluginSuggestionMarketplaces pluginTrustMessage prUrlTemplate preferredNotifChannel prefersReducedMotion
  promptSuggestionEnabled remote remoteControlAtStartup respondToBashCommands showClearContextOnPlanAccept
  showMessageTimestamps showThinkingSummaries showTurnDuration skipAutoPermissionPrompt
  skipDangerousModePermissionPrompt spellcheck spinnerTipsEnabled spinnerTipsOverride spinnerVerbs sshConfigs
  sshHostCommands subagentStatusLine syncClaudeAiPlugins syncClaudeAiSkills syntaxHighlightingDisabled
  teammateMode terminalProgressBarEnabled terminalTitleFromRename theme timeFormat tui verbose viewMode
  vimInsertModeRemaps voice voiceEnabled wheelScrollAccelerationEnabled workflowKeywordTriggerEnabled
  wslInheritsWindowsSettings
`);

/** Without effect here: named at the start when they are set. */
export const IDLE_KEYS = list(`
  additionalMarketplaces advisorModel allowAllClaudeAiMcps allowManagedMcpServersOnly
  allowManagedPermissionRulesOnly allowedMarketplaces allowedProviders alwaysThinkingEnabled
  appendPlugins attribution attributionProject attributionProjectPolicy autoCompactWindow autoContinueAtUsageLimit
  autoDreamEnabled autoMemoryDirectory autoMemoryEnabled autoMode availableModels availableModelsMatch
  awsAuthRefresh awsCredentialExport bashOutputMaxChars blockedMarketplaces claudeMd claudeMdExcludes
  cleanupPeriodDays defaultShell deniedModels disableArtifact disableAutoMode
  disableBundledSkills disableClaudeAiConnectors disableCommandPluginSources disableSideloadFlags
  disableSkillShellExecution disableWorkflows enableArtifact
  enableWorkflows enabledPlugins enforceAvailableModels extraKnownMarketplaces fallbackModel
  fastMode fileCheckpointingEnabled forceLoginGatewayUrl forceLoginMethod forceLoginOrgUUID
  forceRemoteSettingsRefresh gatewayInternalNetworks gcpAuthRefresh idleCompaction includeCoAuthoredBy
  includeGitInstructions language managedMcpServers managedSourcesBehavior maxEffortLevel minimumVersion
  modelOverrides modelPricing modelSettings otelHeadersHelper outputStyle parentSettingsBehavior plansDirectory
  pluginConfigs policyHelper precomputeCompactionEnabled prependPlugins processWrapper promptCacheTtl
  proxyAuthHelper requiredMaximumVersion requiredMinimumVersion respectGitignore
  skillListingBudgetFraction skillListingMaxDescChars skillOverrides skipWebFetchPreflight
  strictKnownMarketplaces strictPluginOnlyCustomization subagentPromptCacheTtl switchModelsOnFlag
  taskOutputMaxChars timeZone todoFeatureEnabled ultracode useAutoModeDuringPlan workflowSizeGuideline worktree
`);

/** Without effect here: named at the start when they are set. */
export const IDLE_VARIABLES = list(`
  ANTHROPIC_AWS_BASE_URL ANTHROPIC_BEDROCK_BASE_URL ANTHROPIC_FOUNDRY_BASE_URL ANTHROPIC_FOUNDRY_RESOURCE
  ANTHROPIC_UNIX_SOCKET ANTHROPIC_VERTEX_BASE_URL ANTHROPIC_VERTEX_PROJECT_ID
  CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR CLAUDE_CODE_API_BASE_URL
  CLAUDE_CODE_CLIENT_CERT CLAUDE_CODE_CLIENT_KEY
  CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS CLAUDE_CODE_DISABLE_THINKING CLAUDE_CODE_ENABLE_TELEMETRY
  CLAUDE_CODE_EXTRA_BODY CLAUDE_CODE_FILE_READ_MAX_OUTPUT_TOKENS
  CLAUDE_CODE_MAX_TOOL_USE_CONCURRENCY CLAUDE_CODE_OAUTH_TOKEN CLAUDE_CODE_PROMPT_CACHE_TTL CLAUDE_CODE_SHELL
  CLAUDE_CODE_SHELL_PREFIX CLAUDE_CODE_SUBAGENT_EFFORT CLAUDE_CODE_SUBAGENT_MODEL CLAUDE_CODE_TOOL_MEMORY_LIMIT
  CLAUDE_CODE_USE_ANTHROPIC_AWS CLAUDE_CODE_USE_BEDROCK CLAUDE_CODE_USE_FOUNDRY CLAUDE_CODE_USE_GATEWAY
  CLAUDE_CODE_USE_VERTEX DISABLE_AUTO_COMPACT DISABLE_COMPACT DISABLE_PROMPT_CACHING MAX_THINKING_TOKENS
`);
