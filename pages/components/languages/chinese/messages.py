"""What the store and the engine say in sentences, in Simplified Chinese.

The keys are the English sentences as they stand in the sources, with a placeholder for whatever is filled
in. On the Chinese side a placeholder can say what it stands for: `{name:number}` fits a number only,
`{name:word}` one of the words of `records.py`, and `{name:message}` and the members of `{name:list}` are put
into Chinese in turn. A message of several sentences is here as a whole, or else sentence by sentence.
"""

from __future__ import annotations

from collections.abc import Mapping

_OF_MODELS: Mapping[str, tuple[str, str, str]] = {
    "{model} answered several times, but never in a usable form.": (
        "“{model:message}”回答了几次，都无法使用。",
        "Continue to try again, or choose a larger model in Settings.",
        "点“继续”再试，或在“设置”中选择更大的模型。",
    ),
    "The answer from {model} broke off in the middle.": (
        "“{model:message}”的回答中途断开。",
        "Nothing is lost: continue to ask again.",
        "内容没有丢失：点“继续”可重新请求。",
    ),
    "{model} will not write this: its own filter held the answer back.": (
        "“{model:message}”不肯写这个：回答被它自己的过滤器拦下了。",
        "Change what you asked for, or choose another model in Settings.",
        "请修改要求，或在“设置”中选择其他模型。",
    ),
    "{model} said nothing for {time}.": (
        "“{model:message}”已有 {time:message} 没有回应。",
        "Nothing is lost: continue to ask again, or allow it more time in Settings.",
        "内容没有丢失：点“继续”可重新请求，或在“设置”中延长等待时间。",
    ),
    "{model} was there, but sent no word of an answer for {time}.": (
        "“{model:message}”在线，但 {time:message} 内没有回答一个字。",
        "Nothing is lost: continue to ask again, or allow it more time in Settings.",
        "内容没有丢失：点“继续”可重新请求，或在“设置”中延长等待时间。",
    ),
    "{model} was still not done after {time}.": (
        "“{model:message}”过了 {time:message} 仍未完成。",
        "Nothing is lost: continue to ask again, or allow it more time in Settings.",
        "内容没有丢失：点“继续”可重新请求，或在“设置”中延长等待时间。",
    ),
    "What answers at the address of {model} is not a model.": (
        "“{model:message}”的地址上应答的不是模型。",
        "If it worked before, wait a little, then continue: nothing is lost. Otherwise check the address in "
        "Settings; most end in /v1.",
        "如果以前能用，请稍等再点“继续”：内容没有丢失。否则请检查“设置”中的地址，大多以 /v1 结尾。",
    ),
    "{model} cannot be reached.": (
        "无法连接“{model:message}”。",
        "Check that it is running and that its address in Settings is right, then continue.",
        "请确认它正在运行，且“设置”中的地址正确，然后点“继续”。",
    ),
    "{model} does not accept the key.": (
        "“{model:message}”不接受密钥。",
        "Check the key, and the name of its variable in Settings.",
        "请检查密钥，以及“设置”中的变量名。",
    ),
    "{model} does not accept the key in {variable}.": (
        "“{model:message}”不接受 {variable} 中的密钥。",
        "Check the key, and the name of its variable in Settings.",
        "请检查密钥，以及“设置”中的变量名。",
    ),
    "{model} does not know the model “{name}”.": (
        "“{model:message}”没有名为“{name}”的模型。",
        "Check the model's name and the address in Settings.",
        "请检查“设置”中的模型名称和地址。",
    ),
    "{model} did not accept the request.": (
        "“{model:message}”拒绝了请求。",
        "Try another model in Settings; the details show what it said.",
        "请在“设置”中换一个模型；详情中有它的答复。",
    ),
    "{model} is getting too many requests at the moment.": (
        "“{model:message}”目前请求过多。",
        "Wait a minute, then continue; nothing is lost.",
        "请等一分钟再点“继续”；内容没有丢失。",
    ),
    "The account at {model} has no credit left.": (
        "“{model:message}”的账户余额已用完。",
        "Add credit there, or choose another model in Settings; nothing is lost.",
        "请充值，或在“设置”中选择其他模型；内容没有丢失。",
    ),
    "{model} has a problem of its own at the moment.": (
        "“{model:message}”目前自身有故障。",
        "Wait a little, then continue; nothing is lost.",
        "请稍等再点“继续”；内容没有丢失。",
    ),
    "This step needs more text than {model} can read at once.": (
        "这一步所需的文字超出了“{model:message}”一次能读的长度。",
        "Choose a model with a larger window in Settings, or shorten what you typed.",
        "请在“设置”中选择上下文窗口更大的模型，或缩短你输入的内容。",
    ),
    "The sample model cannot be used: {reason}.": (
        "无法使用示例模型：{reason:message}。",
        "Connect another model in Settings, or choose another model file there.",
        "请在“设置”中连接其他模型，或选择其他模型文件。",
    ),
    "The address of {model} must begin with http:// or https://.": (
        "“{model:message}”的地址必须以 http:// 或 https:// 开头。",
        "Correct it in Settings.",
        "请在“设置”中更正。",
    ),
    "{where} does not hold a key: it contains spaces or letters that no key has.": (
        "{where:message}不是密钥：其中有密钥不会含有的空格或字符。",
        "Copy the key again.",
        "请重新复制密钥。",
    ),
    "{model} needs a key, but the variable {variable} is not set.": (
        "“{model:message}”需要密钥，但变量 {variable} 没有设置。",
        "Set it and restart Tellwright, or choose another model in Settings.",
        "请设置后重启 Tellwright，或在“设置”中选择其他模型。",
    ),
    "{model} cannot be used on this site.": (
        "本站不能使用“{model:message}”。",
        "Choose another model in Settings.",
        "请在“设置”中选择其他模型。",
    ),
    "This site has lost its key for {model}.": (
        "本站丢失了“{model:message}”的密钥。",
        "Please tell whoever runs it.",
        "请告知站点管理员。",
    ),
    "{model} needs your key.": (
        "“{model:message}”需要你的密钥。",
        "This site keeps keys in memory only, and forgets them when it is restarted: give it again in "
        "Settings, then continue.",
        "本站只在内存中保存密钥，重启后即失效：请在“设置”中重新填写，然后点“继续”。",
    ),
}
"""What can go wrong with a model, in Chinese, and what to do about it, in English and in Chinese.

Such a message is shown as a whole; where there is little space, only its first sentence.
"""

MESSAGES: Mapping[str, str] = {
    # Said in many places
    "Nothing was changed.": "什么都没有改动。",
    "Nothing was imported.": "什么都没有导入。",
    "chapter {number}": "第 {number:number} 章",
    "Chapter {number}": "第 {number:number} 章",
    "added chapter {number}": "另加的第 {number:number} 章",
    "a chapter of another telling": "另一讲述版本的一章",
    "the beginning": "开篇",
    "{n} minutes": "{n:number} 分钟",
    "{n} seconds": "{n:number} 秒",
    "{n} second": "{n:number} 秒",
    # What the elements of a story are called in a sentence
    "the foundation": "故事设定",
    "the spine": "主线",
    "a person": "人物",
    "a relationship": "关系",
    "a place": "地点",
    "an event": "事件",
    "a part in an event": "对事件的参与",
    "the place of an event": "事件的地点",
    "a link between events": "事件之间的关联",
    "a thread": "伏笔",
    "someone or something unknown": "不明的人或事物",
    "the thread “{title}”": "伏笔“{title}”",
    "The thread “{title}”": "伏笔“{title}”",
    "the foundation of the story": "故事设定",
    "The foundation of the story": "故事设定",
    "the spine of the story": "故事主线",
    "The spine of the story": "故事主线",
    "the {words} of {source} towards {target}": "{source:message}对{target:message}的{words:message}",
    "The {words} of {source} towards {target}": "{source:message}对{target:message}的{words:message}",
    "the part of {person} in {event}": "{person:message}在{event:message}中的参与",
    "The part of {person} in {event}": "{person:message}在{event:message}中的参与",
    "the place of {event}": "{event:message}的地点",
    "The place of {event}": "{event:message}的地点",
    "the link from {source} to {target}": "{source:message}到{target:message}的关联",
    "The link from {source} to {target}": "{source:message}到{target:message}的关联",
    # A change that does not fit the story
    "This change does not fit the story: {problems}": "这处修改与故事不符：{problems:message}",
    "{label} is not in the story, so it cannot be {done}.": (
        "{label:message}不在故事中，无法{done:message}。"
    ),
    "changed": "修改",
    "removed": "移除",
    "{label} is not as it was when this change was made.": "作出这处修改后，{label:message}又有了变化。",
    "{label} is already in the story.": "{label:message}已在故事中。",
    "A story has only one {kind}.": "一个故事只能有一个{kind:message}。",
    "{label} names {found} where {wanted} belongs.": (
        "{label:message}引用了{found:message}，而此处应为{wanted:message}。"
    ),
    "{label} names {wanted} that has been removed.": "{label:message}引用的{wanted:message}已被移除。",
    "{label} names {wanted} that does not exist.": "{label:message}引用的{wanted:message}不存在。",
    "{gone} cannot be removed while {left} is still there.": (
        "只要{left:message}还在，就无法移除{gone:message}。"
    ),
    "There are two people called {name}; please rename one of them.": (
        "有两个人物都叫“{name}”，请给其中一个改名。"
    ),
    "{earlier} cannot come before {later}: the events would run in a circle.": (
        "{earlier:message}不能先于{later:message}：事件的先后会成为循环。"
    ),
    "{count} questions are still open.": "还有 {count:number} 个问题待决定。",
    "It conflicts with what chapter {chapter} changes in the same place.": (
        "它与第 {chapter:number} 章对同一处的修改冲突。"
    ),
    "In chapter {chapter}, {entity} still needs {target}, which would be gone.": (
        "第 {chapter:number} 章的{entity:message}仍需要{target:message}，而后者将不复存在。"
    ),
    "Something was not saved, because it could not be read back ({name}). What was saved before is "
    "unchanged.": "有内容未能保存，因为存入后无法读出（{name}）。此前保存的内容没有变化。",
    "This was changed in another window while you were writing.": "你写作期间，它在另一个窗口中有了改动。",
    "A chapter can have {limit} characters, and this is longer. Divide it into several chapters.": (
        "一章最多 {limit:number} 个字符，这里已超出。请分成几章。"
    ),
    "This story has already begun; to change its beginning, edit it.": "故事已经开始；要改开篇，请直接编辑。",
    "This story has no beginning yet: approve its cast and world first.": (
        "故事还没有开篇：请先确认人物表和故事设定。"
    ),
    "The story has reached chapter {head}, so this cannot become chapter {chapter}.": (
        "故事已到第 {head:number} 章，这里不能再成为第 {chapter:number} 章。"
    ),
    # Locks
    "Only you can lock something; the plot would have locked {label}.": (
        "只有你能锁定内容；情节本想锁定{label:message}。"
    ),
    "{label} is locked; the plot would have removed it from the story.": (
        "{label:message}已锁定；情节本想将其移除。"
    ),
    "Only you can lock or unlock {label}; the plot would have done so.": (
        "只有你能锁定或解锁{label:message}；情节本想这样做。"
    ),
    "{place} is locked; the plot would have {made}.": "{place:message}已锁定；情节本想{made:message}。",
    "{place} are locked; the plot would have {made}.": "{place:message}已锁定；情节本想{made:message}。",
    "emptied it": "将其清空",
    "emptied them": "将其清空",
    "made it “{value}”": "改为“{value}”",
    "made them “{value}”": "改为“{value}”",
    "{person}’s {words}": "{person:message}的{words:word}",
    "the {words} of the story": "故事的{words:word}",
    "The {words} of the story": "故事的{words:word}",
    # The library, as a file
    "The library is closed.": "书库已关闭。",
    "This file is another program's database, not a Tellwright library.": (
        "这个文件是其他程序的数据库，不是 Tellwright 书库。"
    ),
    "The library holds a {kind} that cannot be read.": "书库中有一条无法读取的记录（{kind}）。",
    "there is no room left on the disk": "磁盘空间已满",
    "Tellwright may not read or write there": "Tellwright 无权在那里读写",
    "The file {name} is not a Tellwright library, or it is damaged ({error}).": (
        "文件 {name} 不是 Tellwright 书库，或已损坏（{error}）。"
    ),
    "The library {name} cannot be opened: {error}.": "无法打开书库 {name}：{error}。",
    "The library {name} cannot be used right now ({error}). Nothing was changed.": (
        "现在无法使用书库 {name}（{error}）。什么都没有改动。"
    ),
    "There is no room left on the disk.": "磁盘空间已满。",
    "make some room": "腾出一些空间",
    "Another window or program has been writing to the library {name} for too long.": (
        "另一个窗口或程序占用书库 {name} 的写入时间过长。"
    ),
    "wait until it is done": "等它完成",
    "{name} cannot be written: the file, its folder or the disk is read-only.": (
        "无法写入 {name}：文件、文件夹或磁盘为只读。"
    ),
    "let Tellwright write there": "允许 Tellwright 在那里写入",
    "{name} cannot be read or written: the disk is full, or does not work ({error}).": (
        "无法读写 {name}：磁盘已满或有故障（{error}）。"
    ),
    "see to the disk": "检查磁盘",
    "{reason} Nothing was changed: {remedy}, then try again.": (
        "{reason:message}什么都没有改动：请{remedy:message}，然后再试。"
    ),
    "{reason} Nothing that was finished is lost: {remedy}, then continue.": (
        "{reason:message}已完成的内容没有丢失：请{remedy:message}，然后点“继续”。"
    ),
    "{reason} Nothing that was finished is lost: {remedy}, then try again.": (
        "{reason:message}已完成的内容没有丢失：请{remedy:message}，然后再试。"
    ),
    "{reason} Trying again in {seconds} s.": "{reason:message}{seconds:number} 秒后重试。",
    "{reason} Trying again in {seconds} s. It goes on by itself: {remedy}.": (
        "{reason:message}{seconds:number} 秒后重试。请{remedy:message}，随后会自动继续。"
    ),
    "This library was made by a newer version of Tellwright ({sign}). Please update Tellwright; nothing "
    "was changed.": "这个书库由更新版本的 Tellwright 建立（{sign:message}）。请更新 Tellwright；什么都没有改动。",
    "its format is {found}; this version knows {known}": "其格式为 {found}，此版本支持到 {known}",
    "this version does not know {unknown}": "此版本不认识 {unknown}",
    "Chapter {chapter} of this story is not as it was saved; the library is damaged.": (
        "这个故事的第 {chapter:number} 章与保存时不符；书库已损坏。"
    ),
    "A part of this story cannot be read any more; the library is damaged.": (
        "这个故事有一部分已无法读取；书库已损坏。"
    ),
    # What is not in the library, or is gone
    "This change is not in the library.": "书库中没有这处修改。",
    "These two branches have nothing in common.": "这两个分支没有共同之处。",
    "There is nothing to undo on this branch.": "这个分支上没有可撤销的操作。",
    "There is nothing to redo on this branch.": "这个分支上没有可重做的操作。",
    "This branch is not in the library.": "书库中没有这个分支。",
    "The prompt of a call cannot be read any more.": "有一次调用的提示词已无法读取。",
    "This suggestion is gone.": "这条建议已不存在。",
    "This question is gone.": "这个问题已不存在。",
    "This comparison is gone.": "这次对照已不存在。",
    "This mark is not in the library.": "书库中没有这个标记。",
    "This story or branch is not in the library.": "书库中没有这个故事或分支。",
    "This branch belongs to another story.": "这个分支属于另一个故事。",
    "This branch is archived; restore it first.": "这个分支已归档，请先恢复。",
    "This chapter has no writing plan yet.": "这一章还没有写作计划。",
    "This chapter has no text yet.": "这一章还没有正文。",
    "This chapter has had no other plan.": "这一章没有别的写作计划。",
    "The outline has been changed since, perhaps in another window. This is how it is now; please make "
    "your change again.": "大纲已有改动，可能来自其他窗口。现在显示的是最新内容，请重新修改。",
    "There is no outline to bring back.": "没有可恢复的大纲。",
    "This candidate is not in the library.": "书库中没有这个候选情节。",
    "The story has no cast and world yet.": "故事还没有人物表和设定。",
    "This goal is not in the library.": "书库中没有这个目标。",
    "The cast has been drafted only once.": "人物表只草拟过一次。",
    "There were no other goals before these.": "此前没有别的目标。",
    "This run is not in the library.": "书库中没有这次运行。",
    "There are no such contents.": "没有这份目录。",
    "This note is gone.": "这条批注已不存在。",
    "This telling is gone.": "这个讲述版本已不存在。",
    "This telling no longer exists.": "这个讲述版本已不存在。",
    "This version is gone.": "这个版本已不存在。",
    "There is no such writer on this site.": "本站没有这位作者。",
    # Stories and branches
    "A title can have at most 400 characters.": "标题最多 400 个字符。",
    "There can be at most {most} stories here. To begin another, export one if you like, and delete it.": (
        "这里最多保存 {most:number} 个故事。要开始新的故事，请先删除一个，删除前可以导出。"
    ),
    "The branch that a story began with cannot be archived; delete the story instead.": (
        "故事最初的分支不能归档；可以删除整个故事。"
    ),
    "Chapter {chapter} is not plotted yet, so no branch can start from it.": (
        "第 {chapter:number} 章还没有构想，不能从这里建立分支。"
    ),
    "The setting “{key}” cannot be read; please set it again.": "无法读取设置“{key}”，请重新设置。",
    "A branch needs a name of 1 to {limit} characters.": "分支名称须为 1–{limit:number} 个字符。",
    "There is already a branch called “{name}”; please choose another name.": (
        "已有名为“{name}”的分支，请换一个名称。"
    ),
    "Chapters are written in the order of the story, each once.": "各章须按故事顺序写作，每章一次。",
    # Story files, cards and books that are imported
    "The import was interrupted for too long, so it was given up. Nothing was imported; please import the "
    "file again.": "导入中断时间过长，已放弃。什么都没有导入，请重新导入文件。",
    "This file is not a Tellwright story: it is not text.": "这个文件不是 Tellwright 故事：它不是文本。",
    "This story file contradicts itself, so it was not imported.": "这个故事文件自相矛盾，未能导入。",
    "This file is larger than any character card.": "这个文件太大，不可能是人物卡。",
    "This file is not a character card.": "这个文件不是人物卡。",
    "This card does not say what the person is called.": "这张人物卡没有写明人物的名字。",
    "This picture is larger than any character card.": "这张图片太大，不可能是人物卡。",
    "There is no character card in this picture.": "这张图片中没有人物卡。",
    "This picture is damaged, or holds no character card.": "这张图片已损坏，或不含人物卡。",
    "This story file is damaged or was changed after it was exported: its checksum does not fit. Nothing "
    "was imported; please export the story again, or take another copy.": (
        "这个故事文件已损坏，或导出后被改过：校验和不符。什么都没有导入，请重新导出故事，或换一份副本。"
    ),
    "This file is not a Tellwright story.": "这个文件不是 Tellwright 故事。",
    "A candidate of this story file has no goal.": "这个故事文件中有一个候选情节没有目标。",
    "This story file was made by a newer version of Tellwright. Please update Tellwright.": (
        "这个故事文件由更新版本的 Tellwright 导出。请更新 Tellwright。"
    ),
    "This story file is damaged: its checksum cannot be read.": "这个故事文件已损坏：无法读取校验和。",
    "This story file is damaged: its {name} cannot be read.": "这个故事文件已损坏：无法读取 {name}。",
    "The branches of this story file do not fit together.": "这个故事文件的分支互不相符。",
    "A branch of this story file starts from nothing.": "这个故事文件中有一个分支没有起点。",
    "A branch of this story file starts at the wrong place.": "这个故事文件中有一个分支的起点不对。",
    "This story file is damaged: what chapter {chapter} takes back was never there. Nothing was "
    "imported.": "这个故事文件已损坏：第 {chapter:number} 章撤回的内容从未存在。什么都没有导入。",
    "This story file is damaged: chapter {chapter} does not follow from what comes before it. Nothing was "
    "imported.": "这个故事文件已损坏：第 {chapter:number} 章与前文衔接不上。什么都没有导入。",
    "This story file is too large to be one of Tellwright's.": "这个故事文件太大，不可能来自 Tellwright。",
    "This file is not a Tellwright story, or not all of it: it is not JSON. Nothing was imported.": (
        "这个文件不是 Tellwright 故事，或不完整：它不是 JSON。什么都没有导入。"
    ),
    "A book can be imported from at most {most} files.": "一本书最多从 {most:number} 个文件导入。",
    "There is no text in what was given. Nothing was imported.": "给出的文件中没有正文。什么都没有导入。",
    "This is longer than any book. Nothing was imported.": "这比任何一本书都长。什么都没有导入。",
    "This has more chapters than any book. Nothing was imported.": "这比任何一本书的章数都多。什么都没有导入。",
    "“{name}” cannot be read: {problem}. Nothing was imported.": (
        "无法读取“{name}”：{problem:message}。什么都没有导入。"
    ),
    "it is damaged": "文件已损坏",
    "more comes out of it than any book holds": "解压后的内容比任何一本书都多",
    "a part of it is missing ({name})": "缺少一部分（{name}）",
    "it declares entities, as no Word file does": "它声明了实体，Word 文件不会这样",
    "it is damaged, or no Word file": "文件已损坏，或不是 Word 文件",
    "it is a PDF, which has lost what is a paragraph: import what it was made from": (
        "这是 PDF，已无法分辨段落：请导入生成它的原文件"
    ),
    "it is in RTF: save it as DOCX in your word processor": "这是 RTF：请在文字处理软件中另存为 DOCX",
    "it is in an old format of Word, or locked: save it as DOCX, without a password": (
        "这是旧版 Word 格式，或已加密：请另存为不带密码的 DOCX"
    ),
    "it is larger than any book": "文件比任何一本书都大",
    "it is damaged, or not what its name says": "文件已损坏，或与扩展名不符",
    "a book can be DOCX, EPUB, Markdown, HTML or plain text": (
        "书可以是 DOCX、EPUB、Markdown、HTML 或纯文本"
    ),
    "it is no text": "它不是文本",
    "it is in ODT: save it as DOCX in your word processor": "这是 ODT：请在文字处理软件中另存为 DOCX",
    "it is empty, or no web page": "文件是空的，或不是网页",
    "its markup is damaged, or nested too deeply": "标记已损坏，或嵌套过深",
    # Exports
    "The PDF could not be made: it took too long. Nothing was changed.": (
        "未能生成 PDF：用时过长。什么都没有改动。"
    ),
    "the program ended without saying why": "程序没有说明原因就结束了",
    "The PDF could not be made: {problem}.": "未能生成 PDF：{problem:message}。",
    "The PDF could not be made: no font on this computer can show “{text}”. Install a font for this "
    "script, such as one of the Noto family, and try again.": (
        "未能生成 PDF：这台电脑上没有能显示“{text}”的字体。请安装支持该文字的字体，例如 Noto 系列，然后再试。"
    ),
    # Backups and checks of the library
    "Backups cannot be kept in {folder}: {cause}.": "无法在 {folder} 保存备份：{cause:message}。",
    "The library is damaged, so no backup was made of it; the older ones are as they were. “tellwright "
    "verify” says what is damaged. ({error})": (
        "书库已损坏，因此没有备份；以前的备份保持原样。“tellwright verify”会列出损坏之处。（{error}）"
    ),
    "No backup could be made in {folder}: {cause}. Nothing was changed.": (
        "无法在 {folder} 备份：{cause:message}。什么都没有改动。"
    ),
    "The file of the library is damaged ({fault}).": "书库文件已损坏（{fault}）。",
    "Parts of the library refer to others that no longer exist.": "书库中有些内容引用了已不存在的内容。",
    "The file of the library cannot be read as a whole ({error}).": "无法完整读取书库文件（{error}）。",
    "The text of {chapter}, version {version}, is not as it was written.": (
        "{chapter:message}的正文（版本 {version:number}）与写成时不符。"
    ),
    "The text of {chapter}, version {version} (branch “{branch}”), is not as it was written.": (
        "分支“{branch}”上{chapter:message}的正文（版本 {version:number}）与写成时不符。"
    ),
    "{chapter} is not as it was saved.": "{chapter:message}与保存时不符。",
    "Chapter {chapter} (branch “{branch}”)": "分支“{branch}”的第 {chapter:number} 章",
    "The file {name} is damaged ({error}).": "文件 {name} 已损坏（{error}）。",
    "The backup {name} could not be restored: {cause}. Nothing was lost.": (
        "无法恢复备份 {name}：{cause:message}。内容没有丢失。"
    ),
    "There is no file {name}. Nothing was changed.": "没有文件 {name}。什么都没有改动。",
    "A window or program still has the library {name} open, perhaps with a run at work. Please close it and "
    "try again; nothing was changed.": (
        "还有窗口或程序打开着书库 {name}，可能有任务在运行。请关闭后再试；什么都没有改动。"
    ),
    "There is no library to take over, or this one already has stories.": (
        "没有可接管的书库，或这个书库已有故事。"
    ),
    # Models: how they are reached, and what they answer
    "A key was given for the name or the address of a model, in Settings or in the variables "
    "TELLWRIGHT_MODEL and OPENAI_BASE_URL. It was not sent anywhere. Give the model's name there, and the "
    "key in a variable of its own, such as OPENAI_API_KEY.": (
        "模型的名称或地址处填入了密钥：在“设置”中，或在变量 TELLWRIGHT_MODEL 与 OPENAI_BASE_URL 中。"
        "密钥没有发送到任何地方。请在该处填写模型名称，把密钥放进单独的变量，例如 OPENAI_API_KEY。"
    ),
    "A key stands where a model’s name or address belongs, so nothing was saved.": (
        "模型的名称或地址处填的是密钥，因此没有保存。"
    ),
    "{time}, {altogether} in all": "{time:message}（共 {altogether:message}）",
    "it did not start": "未能启动",
    "the package that contains it is not installed": "未安装包含它的软件包",
    "there is no file {name} where Settings says it is": "“设置”所指的位置没有文件 {name}",
    "{model} (run by Tellwright itself)": "{model:message}（由 Tellwright 自行运行）",
    "Sample model, offline": "示例模型（离线）",
    "The variable {name}": "变量 {name}",
    "What was given": "所填内容",
    "This site has no sample model.": "本站没有示例模型。",
    "Choose another model in Settings.": "请在“设置”中选择其他模型。",
    "This run has used the {calls} calls that you allowed.": "本次运行已用完你允许的 {calls:number} 次调用。",
    "This run has used {spent} of the {most} tokens that you allowed, and the next step may take "
    "{expected}.": (
        "本次运行已用 {spent:number} 个 token，上限为 {most:number} 个，下一步可能需要 {expected:number} 个。"
    ),
    "This run has used {spent} of the {most} that you allowed at your prices, and the next step may cost "
    "{expected}.": "按你的价格，本次运行已花费 {spent}，上限为 {most}，下一步可能花费 {expected}。",
    "Answers in {seconds} s, {keeps} as asked.": "{seconds:number} 秒内回答，{keeps:message}符合要求的格式。",
    "always": "始终",
    "but not always": "但不总是",
    "The model has said nothing for {time}; trying again in {seconds} s.": (
        "模型已有 {time:message} 没有回应；{seconds:number} 秒后重试。"
    ),
    "The model cannot be reached": "无法连接模型",
    "The model is getting too many requests": "模型目前请求过多",
    "The answer broke off": "回答中途断开",
    "Something other than an answer came back": "返回的不是回答",
    "The model is not answering": "模型没有回答",
    "{reason}; trying again in {seconds} s.": "{reason:message}；{seconds:number} 秒后重试。",
    "The model has said nothing for {time}, but it is still there; waiting for up to {longest}.": (
        "模型已有 {time:message} 没有回应，但仍在线；最多等待 {longest:message}。"
    ),
    # A site for several writers
    "Please sign in.": "请登录。",
    "Your account may not use this site. Ask whoever runs it to add the address with which you signed in.": (
        "你的账户不能使用本站。请让站点管理员添加你登录所用的地址。"
    ),
    "Whoever runs this site has closed it to you. Your stories are kept.": (
        "站点管理员已停止你的使用权限。你的故事仍然保留。"
    ),
    "You have used {spent} of the {most} that this site spends on models for you in a month, and the next "
    "step would go beyond. Nothing is lost: continue next month.": (
        "本月你已用 {spent}，本站每月为你承担的模型费用为 {most}，下一步将超出。内容没有丢失：请下月继续。"
    ),
    "You have used {spent} of the {most} that this site spends on models for you in a month, and the next "
    "step would go beyond. Nothing is lost: continue next month, or with a key of your own (Settings).": (
        "本月你已用 {spent}，本站每月为你承担的模型费用为 {most}，下一步将超出。内容没有丢失：请下月继续，"
        "或在“设置”中填写你自己的密钥。"
    ),
    "What this site knows of its writers ({file}) cannot be read or written: {error}.": (
        "无法读写本站的作者资料（{file}）：{error}。"
    ),
    "You have made the {calls} calls to models that this site allows a day. Nothing is lost: continue "
    "tomorrow (the day ends at midnight, UTC).": (
        "你已用完本站每天允许的 {calls:number} 次模型调用。内容没有丢失：请明天继续（以 UTC 零点为界）。"
    ),
    # Runs: how they end, and what they note
    "Stopped as you asked; nothing is lost.": "已按你的要求停止；内容没有丢失。",
    "Stopped as you asked.": "已按你的要求停止。",
    "Waiting until the library can be written": "等待书库可以写入",
    "Something went wrong inside Tellwright, but nothing up to here is lost. Continue to try again; if it "
    "happens again, please report it with the app's log.": (
        "Tellwright 内部出错，但到此为止的内容没有丢失。点“继续”再试；如果再次发生，请附上应用日志报告。"
    ),
    "Something went wrong inside Tellwright, but the story is as it was. Try again; if it happens again, "
    "please report it with the app's log.": (
        "Tellwright 内部出错，但故事保持原样。请再试；如果再次发生，请附上应用日志报告。"
    ),
    "That is being worked on already. Wait for it to finish, or stop it first.": (
        "这已在进行中。请等它完成，或先停止。"
    ),
    "Tellwright is already answering as much as it can at once. Wait for something to finish.": (
        "Tellwright 同时进行的回答已达上限。请等其中一项完成。"
    ),
    "The library has been closed. Open the page again.": "书库已关闭。请重新打开页面。",
    "Tellwright is working on this story. Wait for it to finish, or stop it first.": (
        "Tellwright 正在处理这个故事。请等它完成，或先停止。"
    ),
    "Tellwright is already working on this story. Wait for it to finish, or stop it first.": (
        "Tellwright 已在处理这个故事。请等它完成，或先停止。"
    ),
    "Tellwright is working on a story. Wait for it to finish, or stop it first.": (
        "Tellwright 正在处理一个故事。请等它完成，或先停止。"
    ),
    "What it was waiting for no longer exists: the library is not as this run left it, or the file that says "
    "where it stood is lost. It goes on from what is in the library.": (
        "它所等待的内容已不存在：书库与这次运行离开时不同，或记录进度的文件已丢失。将从书库现有的内容继续。"
    ),
    "The record of where this run stood was lost, or did not fit the library. It went on from what is in the "
    "library; nothing that is there was done again.": (
        "这次运行的进度记录已丢失，或与书库不符。已从书库现有的内容继续，已有的部分没有重做。"
    ),
    "That was already answered, perhaps in another window. This is the story as it is now.": (
        "这个问题已经回答过，可能是在其他窗口。现在显示的是故事的最新状态。"
    ),
    "A question waits for your answer before this can go on.": "有一个问题等你回答，之后才能继续。",
    "There is nothing to continue. Perhaps it is already running.": "没有可继续的任务，可能已在运行。",
    "{agent}: the model gave no full answer that could be used, so it is asked for less at a time, as a small "
    "model is.": "{agent:message}：模型没有给出完整可用的回答，因此改为像对小模型那样，每次少要一些。",
    # Founding a story
    "Say in a line or two what your story is about.": "请用一两句话写下故事讲什么。",
    "Your premise has {count} characters, and the model in use can read about {fits} of them. Shorten it, use "
    "only its beginning, or connect a larger model in Settings. Your text has not been changed.": (
        "你的构思有 {count:number} 个字符，当前模型大约能读 {fits:number} 个。请缩短，或只用开头，"
        "或在“设置”中连接更大的模型。你的文字没有改动。"
    ),
    "Reading your book": "正在读你的书",
    "Finding the people of the story, and what lies between them": "正在寻找故事的人物和他们之间的纠葛",
    "Finding the people of the story": "正在寻找故事的人物",
    "Bringing {person} to life": "正在塑造{person}",
    "Drafting the world and the cast": "正在草拟世界和人物",
    "Imagining the world and how the story could end": "正在构想世界和可能的结局",
    "Deciding where the story goes": "正在确定主线",
    "Working out their relationships": "正在梳理人物关系",
    "Finding places where the story can begin": "正在寻找故事开始的地点",
    "Telling a story that it could become": "正在试写它可以变成的一个故事",
    "Reading the stories that it could become": "正在阅读它可以变成的几个故事",
    "Reading the plan with a hard eye": "正在严格审读故事规划",
    "The first reader of the plan found a fault in it, and mended what could be: {fault}": (
        "规划的首位审读者发现 1 个问题，并已尽量修补：{fault}"
    ),
    "The first reader of the plan found {count} faults in it, and mended what could be: {fault}": (
        "规划的首位审读者发现 {count:number} 个问题，并已尽量修补：{fault}"
    ),
    "Looking again at where the story goes": "正在重新审视主线",
    "The spine after chapter {chapter}": "第 {chapter:number} 章之后的主线",
    "After chapter {chapter}, the plan of where the story goes was brought up to date.": (
        "第 {chapter:number} 章之后，主线已更新。"
    ),
    "After chapter {chapter}, the plan of where the story goes was brought up to date ({changed}).": (
        "第 {chapter:number} 章之后，主线已更新（{changed:list}）。"
    ),
    "The change is on History, where you can undo it.": "这处修改列在“历史”页，可以撤销。",
    "The draft of the cast no longer exists. Draft the cast again.": "人物表的草稿已不存在，请重新草拟。",
    "There is no text without a premise here.": "这里没有缺少构思的正文。",
    "The story has not begun yet: approve its premise first.": "故事还没有开始：请先确认构思。",
    "There is nothing to edit yet: draft the cast first.": "还没有可编辑的内容：请先草拟人物表。",
    "{plotted} chapters are plotted already, and none of them is thrown away: give the story as many or more, "
    "or take chapters back first.": (
        "已构想 {plotted:number} 章，一章都不会丢弃：章数不能少于此，或先撤销几章。"
    ),
    # What has to come first
    "This story has already begun. Edit its cast instead.": "故事已经开始，请直接编辑人物表。",
    "Approve the cast and the world first, on the Premise page.": "请先在“构思”页确认人物表和故事设定。",
    "Chapter {chapter} has no plot yet. Plot it first.": "第 {chapter:number} 章还没有情节，请先构想。",
    "Chapter {chapter} is not the next chapter to choose a plot for.": (
        "接下来要选定情节的不是第 {chapter:number} 章。"
    ),
    "This story is made directly, one prompt a chapter, without outline, plots and revision. Change that in "
    "Settings, under “Leave out”.": (
        "这个故事采用直接写作：每章一次提示，没有大纲、情节和修订。可在“设置”的“略去”中更改。"
    ),
    "Write all of its chapters first: then the story is read as a whole.": "请先写完所有章节，再通读全书。",
    "There is nobody in this story yet. Add people on the Premise page first.": (
        "故事还没有人物，请先在“构思”页添加。"
    ),
    "The story has all of its {last} chapters. Plan more on the Premise page to go on.": (
        "故事的 {last:number} 章已全部完成。要继续，请在“构思”页增加章数。"
    ),
    # The outline
    "Improving the outline": "正在改进大纲",
    "Outlining the story": "正在列大纲",
    "Finding the storylines": "正在寻找故事线",
    "Outlining “{line}”": "正在列“{line}”的大纲",
    "Linking the events": "正在关联事件",
    "Reviewing the outline": "正在审读大纲",
    "Spreading the outline over the chapters": "正在把大纲分配到各章",
    "Splitting “{title}” and what follows": "正在拆分“{title}”及之后的事件",
    "The reviewer gave no usable answer.": "审读者没有给出可用的回答。",
    "No event shows how the story's end is reached.": "没有事件表明故事如何走到结局。",
    "The reviewer objects to one point.": "审读者对 1 处有异议。",
    "The reviewer objects to {count} points.": "审读者对 {count:number} 处有异议。",
    "The reviewer doubts that the outline works, but does not say why.": (
        "审读者怀疑大纲是否成立，但没有说明原因。"
    ),
    "The reviewer finds that the outline works; the story reaches its end in “{event}”.": (
        "审读者认为大纲成立；故事在“{event}”走到结局。"
    ),
    "“{source}” {link} “{target}”, but other links put them the other way round.": (
        "“{source}”{link:message}“{target}”，但其他关联的先后与此相反。"
    ),
    "“{source}” cannot both contradict “{target}” and lead to it.": (
        "“{source}”不能既与“{target}”矛盾，又引出它。"
    ),
    "Nobody is in it.": "其中没有人物。",
    "It repeats “{title}”.": "与“{title}”重复。",
    "The storyline “{line}” has no other event, so it has no end.": (
        "故事线“{line}”没有别的事件，因此没有结局。"
    ),
    "The outline has no events yet.": "大纲还没有事件。",
    "These events have no part for a chapter to tell: {named}.": (
        "以下事件没有可供各章讲述的片段：{named:message}。"
    ),
    "These parts have no chapter yet: {named}.": "以下片段还没有安排章节：{named:message}。",
    "These parts are in a chapter already plotted (up to chapter {chapter}): {named}.": (
        "以下片段安排在已构想的章节（到第 {chapter:number} 章为止）：{named:message}。"
    ),
    "These parts come after the story’s last chapter, which is {last}: {named}.": (
        "以下片段排在最后一章（第 {last:number} 章）之后：{named:message}。"
    ),
    "There is no outline yet. Have one drafted, or start one by hand.": (
        "还没有大纲。可以请模型草拟，或自己动手写。"
    ),
    "The draft of the outline no longer exists. Have it drafted again.": "大纲草稿已不存在，请重新草拟。",
    "The outline is being drafted. Wait for it to finish, or stop it first.": (
        "正在草拟大纲。请等它完成，或先停止。"
    ),
    "There is already a draft of an outline. Go on with it, or discard it.": (
        "已有一份大纲草稿。请继续完成，或丢弃它。"
    ),
    "This part is no longer in the outline.": "大纲中已没有这个片段。",
    "This part is already told, in chapter {chapter}.": "这个片段已在第 {chapter:number} 章讲述。",
    "Chapter {chapter} is already plotted.": "第 {chapter:number} 章已构想完毕。",
    "The story’s last chapter is chapter {chapter}.": "故事的最后一章是第 {chapter:number} 章。",
    "A text in the outline is longer than {most} characters.": "大纲中有一段文字超过 {most:number} 个字符。",
    "Every event in the outline needs a title and a storyline.": "大纲中的每个事件都要有标题和故事线。",
    "An outline can have at most {most} {kind}.": "大纲的条目太多：同一类（{kind:message}）最多 {most:number} 个。",
    "events": "事件",
    "links": "关联",
    "parts": "片段",
    "This outline does not fit together: a link or a part belongs to none of its events.": (
        "这份大纲互不相符：有关联或片段不属于任何事件。"
    ),
    # Plotting a chapter
    "Plotting chapter {chapter}": "正在构想第 {chapter:number} 章",
    "Setting goals for chapter {chapter}": "正在设定第 {chapter:number} 章的目标",
    "{person} speaks": "轮到{person}",
    "Writing “{title}”": "正在写“{title}”",
    "Reading “{title}”": "正在读“{title}”",
    "Comparing the candidates": "正在比较候选情节",
    "Judging the candidate": "正在评判候选情节",
    "Closing chapter {chapter}": "正在收束第 {chapter:number} 章",
    "Checking whether the story’s goal is reached": "正在检查故事是否达成长期目标",
    "No plot of this chapter could be finished. Plot it again.": "这一章没有完成任何情节，请重新构想。",
    "Too few usable answers came to plot chapter {chapter}.": (
        "可用的回答太少，无法构想第 {chapter:number} 章。"
    ),
    "Continue to try again, or connect a larger model in Settings.": (
        "点“继续”再试，或在“设置”中连接更大的模型。"
    ),
    "The answer was in another language than the story’s, even when asked again.": (
        "回答用的不是故事的语言，再次请求后仍是如此。"
    ),
    "The answer said only what others do, even when asked again.": (
        "回答只写了别人做什么，再次请求后仍是如此。"
    ),
    "No usable answer came, even when asked again.": "没有得到可用的回答，再次请求后仍是如此。",
    "No usable answer came.": "没有得到可用的回答。",
    "{person} tried to change what you locked. {sentence}": "{person}想改动你锁定的内容。{sentence:message}",
    "{person} was left out: {problem}": "{person}没有参与：{problem:message}",
    "{label} was left out: both are one person now.": "已略去{label:message}：两者现在是同一个人物。",
    "{label} was left out: it does not fit the rest.": "已略去{label:message}：与其余内容不符。",
    "{label}: the later candidate’s version is used.": "{label:message}：采用后一个候选情节的版本。",
    "{label}, {words}: “{new}” is used, not “{old}”.": (
        "{label:message}，{words:message}：采用“{new}”，不用“{old}”。"
    ),
    "Chapter {chapter} is plotted; its goals stay as they are.": (
        "第 {chapter:number} 章已构想完毕，目标保持不变。"
    ),
    "Chapter {chapter} is plotted; its candidates stay as they are.": (
        "第 {chapter:number} 章已构想完毕，候选情节保持不变。"
    ),
    "Something has to happen in a chapter: keep at least one event.": "一章总要发生些什么：请至少保留一个事件。",
    "Something has to happen in a chapter: take at least one event.": "一章总要发生些什么：请至少选一个事件。",
    "First tick what you want to take.": "请先勾选要采用的内容。",
    "That candidate belongs to another chapter.": "这个候选情节属于另一章。",
    "That candidate could not be finished, so it cannot be chosen.": "这个候选情节未能完成，不能选定。",
    "This candidate could not be finished, so it cannot become a chapter.": (
        "这个候选情节未能完成，不能成为一章。"
    ),
    "Keep at least one goal, or add your own.": "请至少保留一个目标，或添加自己的。",
    "opens: {thread}": "埋下：{thread}",
    "is planned: {thread}": "计划埋下：{thread}",
    "is planted: {thread}": "埋下：{thread}",
    "opens and closes: {thread}": "埋下并回收：{thread}",
    "closes: {thread}": "回收：{thread}",
    "is dropped: {thread}": "放弃：{thread}",
    "{source} + {target}: {change}": "{source} + {target}：{change:message}",
    "{source} ± {target}: {change}": "{source} ± {target}：{change:message}",
    "{source} − {target}: {change}": "{source} − {target}：{change:message}",
    "{source} toward {target}: {kind}": "{source}对{target}：{kind:word}",
    "What {name} hides": "{name}隐瞒的事",
    "{words} {strength}": "{words:word} {strength:number}",
    "{words} ends": "{words:word}结束",
    "{words} {new} (before: {old})": "{words:word} {new:message}（原为 {old:message}）",
    # Scores
    "Readers preferred the story as it was told, so its chapter is not compared with others.": (
        "读者更喜欢原样讲述的故事，因此这一章不与其他候选比较。"
    ),
    "The scorer gave no usable answer, so this is not scored.": "评分者没有给出可用的回答，因此没有评分。",
    "The scorer’s answer was usable for only some of the rules.": "评分者的回答只有部分评分规则可用。",
    "Nothing in it contradicts the story so far.": "与已有的故事没有矛盾。",
    "By your rules, nothing is scored.": "按你的规则，不评分。",
    "By your rules, only {judge} counts.": "按你的规则，只计{judge:message}。",
    "the continuity check": "连贯性检查",
    "the scorer": "评分者的评分",
    "{sentence} And {count} more.": "{sentence:message}另有 {count:number} 处。",
    "A story has at most {most} rules. Remove one first.": "一个故事最多 {most:number} 条规则，请先移除一条。",
    "A story has at most {most} rules. Remove {count} of your own first.": (
        "一个故事最多 {most:number} 条规则，请先移除自己的 {count:number} 条。"
    ),
    "This file is too large to hold scoring rules. Nothing was changed.": (
        "这个文件太大，不可能是评分规则。什么都没有改动。"
    ),
    "This file cannot be read as scoring rules from Tellwright. Nothing was changed.": (
        "无法把这个文件读作 Tellwright 的评分规则。什么都没有改动。"
    ),
    "This file does not hold scoring rules from Tellwright.": "这个文件不含 Tellwright 的评分规则。",
    "The file has “{name}” twice in one place. Nothing was changed.": (
        "文件的同一处有两个“{name}”。什么都没有改动。"
    ),
    "Two rules in the file have the {what} “{name}”. Nothing was changed.": (
        "文件中有两条规则的{what:message}都是“{name}”。什么都没有改动。"
    ),
    "There is already a rule called “{name}”.": "已有名为“{name}”的规则。",
    "In rule {place} of the file, “{field}” {words}.": (
        "文件的第 {place:number} 条规则中，“{field}”{words:message}。"
    ),
    "Rule {place} of the file {words}.": "文件的第 {place:number} 条规则{words:message}。",
    "In the file, “{field}” {words}.": "文件中的“{field}”{words:message}。",
    "is missing": "缺失",
    "is not a known field": "不是已知的字段",
    "is too long": "太长",
    "is empty": "是空的",
    "has more than {most} entries": "超过 {most:number} 条",
    "has no entry": "没有内容",
    "is too high: the most is {most}": "太大，最大为 {most:number}",
    "is too low: the least is {least}": "太小，最小为 {least:number}",
    "is not valid": "无效",
    # The continuity check
    "In “{effect}” (chapter {chapter}), {names} acts because of “{cause}”, but nobody who knew of it can have "
    "told {them}.": (
        "在“{effect}”（第 {chapter:number} 章）中，{names}因“{cause}”而行动，但知情者都不可能告诉过{them}。"
    ),
    "In “{effect}” (chapter {chapter}), {names} act because of “{cause}”, but nobody who knew of it can have "
    "told them.": (
        "在“{effect}”（第 {chapter:number} 章）中，{names:message}因“{cause}”而行动，但知情者都不可能告诉过他们。"
    ),
    "{label} is hidden, but {target} returns it in chapter {chapter}, where the two do not meet.": (
        "{label:message}是隐秘的，但{target:message}在第 {chapter:number} 章作出回应，而两人在该章并未相遇。"
    ),
    "The thread “{title}” is still open at the end.": "伏笔“{title}”到结局仍未回收。",
    "The thread “{title}”, planted in chapter {chapter}, is still open at the end.": (
        "伏笔“{title}”在第 {chapter:number} 章埋下，到结局仍未回收。"
    ),
    "“{payoff}” (chapter {told}) is told before “{plant}” (chapter {prepared}), which prepares it.": (
        "“{payoff}”（第 {told:number} 章）先于为它铺垫的“{plant}”（第 {prepared:number} 章）讲述。"
    ),
    "The thread “{title}” is paid off in chapter {paid}, before chapter {planted} plants it.": (
        "伏笔“{title}”在第 {paid:number} 章回收，却到第 {planted:number} 章才埋下。"
    ),
    "The thread “{title}” is paid off, but no chapter plants it.": "伏笔“{title}”已回收，却没有哪一章埋下它。",
    "{label} needs {target}, who is no longer in the story.": (
        "{label:message}需要{target:message}，而此人已不在故事中。"
    ),
    "{label} needs {target}, which is no longer in the story.": (
        "{label:message}需要{target:message}，而后者已不在故事中。"
    ),
    "somebody": "某人",
    "something": "某事物",
    "{label} turns from {before} into {after} in chapter {chapter}, although nothing happens between the two "
    "there.": (
        "{label:message}在第 {chapter:number} 章由{before:message}变为{after:message}，但两人在该章并无交集。"
    ),
    "{label} jumps from {before} to {after} in chapter {chapter}, although nothing happens between the two "
    "there.": (
        "{label:message}的强度在第 {chapter:number} 章由 {before:number} 骤变为 {after:number}，"
        "但两人在该章并无交集。"
    ),
    "{person} has been dead since {since}, but {does}.": "{person}自{since:message}起已故，却{does:message}。",
    "{person} has been missing since {since}, but {does}.": (
        "{person}自{since:message}起失踪，却{does:message}。"
    ),
    "{does} “{event}” (chapter {chapter})": "在“{event}”（第 {chapter:number} 章）中{does:message}",
    "acts in": "有所行动",
    "sees": "有所目睹",
    "is there in": "在场",
    "is among people in": "与人相处",
    "{person} is in two places at the same moment of the story: {places} ({chapters}).": (
        "{person}在故事的同一时刻身处两地：{places:message}（{chapters:message}）。"
    ),
    "{person} is in two places at the same time ({time}): {places} ({chapters}).": (
        "{person}在同一时间（{time}）身处两地：{places:message}（{chapters:message}）。"
    ),
    "chapters {first} and {last}": "第 {first}、{last:number} 章",
    "{person} acted in {acted} chapters, but has not appeared since chapter {last} of {newest}.": (
        "{person}曾在 {acted:number} 章中行动，但自第 {last:number} 章起未再出现（共 {newest:number} 章）。"
    ),
    # Branches and what an edit made stale
    "“{source}” has nothing that “{target}” does not already have.": "“{source}”的内容“{target}”都已有。",
    "There is nothing on this branch that the other does not already have.": "这个分支的内容另一个都已有。",
    "You can bring a branch only into another branch of the same story.": (
        "分支只能合并到同一故事的另一个分支。"
    ),
    "There is nothing to decide.": "没有需要决定的内容。",
    "is no longer in the story": "已不在故事中",
    "stays, with changes": "保留，有改动",
    "chapter {number}, “{title}”": "第 {number:number} 章“{title}”",
    "The plot of chapter {chapter} was undone after this was written.": (
        "这部分写成后，第 {chapter:number} 章的情节被撤销了。"
    ),
    "Chapter {chapter} was changed: {text}": "第 {chapter:number} 章有改动：{text:message}",
    "something in it": "其中某处",
    "An earlier chapter was undone.": "前面有一章被撤销了。",
    "{what} (in chapter {chapter})": "{what:message}（第 {chapter:number} 章）",
    "{mark} {text} and {count} more": "{mark} {text:message}，另有 {count:number} 处",
    "+ {text}": "+ {text:message}",
    "± {text}": "± {text:message}",
    "− {text}": "− {text:message}",
    "The beginning": "开篇",
    "Edit": "编辑",
    "Import": "导入",
    "Brought in": "合并",
    "Undone": "撤销",
    "Redone": "重做",
    "Taken back": "撤回",
    # Planning and writing a chapter
    "{chapter} of “{telling}”": "“{telling}”{chapter:message}",
    "The writing plan for chapter {chapter} no longer exists. Write the chapter again.": (
        "第 {chapter:number} 章的写作计划已不存在，请重写这一章。"
    ),
    "Planning how to tell chapter {chapter}": "正在计划如何讲述第 {chapter:number} 章",
    "Planning and writing the whole story": "正在规划并写作全书",
    "Planning how to tell the whole story": "正在计划如何讲述全书",
    "Writing the whole story": "正在写全书",
    "Revising chapter {chapter}": "正在修订第 {chapter:number} 章",
    "Remembering what came before": "正在回顾前文",
    "Looking at what readers are waiting for": "正在查看读者期待的伏笔",
    "Nothing happens in {chapter}, so there is nothing to write.": "{chapter:message}没有事件，因此无从写起。",
    "Nothing happens in {chapter}: it is left out.": "{chapter:message}没有事件，已略过。",
    "Writing {chapter}": "正在写{chapter:message}",
    "Writing chapter {chapter}": "正在写第 {chapter:number} 章",
    "Writing scene {scene} of {scenes} of {chapter}": (
        "正在写{chapter:message}的场景 {scene:number}/{scenes:number}"
    ),
    "Reading {chapter} as its editor": "正在以编辑的眼光审读{chapter:message}",
    "Revising {chapter}": "正在修订{chapter:message}",
    "part {at} of {count} of {chapter}": "{chapter:message}（第 {at:number}/{count:number} 部分）",
    "Part {at} of {count} of {chapter}": "{chapter:message}（第 {at:number}/{count:number} 部分）",
    "{what} was not reviewed: it is too long for the reviewer’s model.": (
        "{what:message}没有审读：超出了审读模型的长度。"
    ),
    "{what} was not revised: it is too long for the model that revises.": (
        "{what:message}没有修订：超出了修订模型的长度。"
    ),
    "Writing the second draft": "正在写第二稿",
    "The second draft was too short, so passages of the first are revised in its place.": (
        "第二稿太短，因此改为修订初稿中的段落。"
    ),
    "Reading the second draft": "正在通读第二稿",
    "Reading both drafts side by side": "正在并排通读两稿",
    "A second draft was written. Readers of both preferred the text as it was, so it stays; the second draft is among the versions of each chapter.": (
        "已写出第二稿。通读两稿的读者更喜欢原来的正文，所以保留原文；第二稿在各章的版本里。"
    ),
    "The second draft was not read: the model gave no answer that could be used.": (
        "没有通读第二稿：模型没有给出可用的回答。"
    ),
    "Reading the whole story": "正在通读全书",
    "Reading the whole story for the first time": "正在初次通读全书",
    "Revising the story after its first reader": "正在按首位读者的意见修订全书",
    "The story was not read as a whole: the model gave no answer that could be used.": (
        "没有通读全书：模型没有给出可用的回答。"
    ),
    "The story was not read as a whole: it is too long for the reader’s model.": (
        "没有通读全书：超出了读者模型的长度。"
    ),
    "Chapter {chapter} has no plan any more.": "第 {chapter:number} 章已没有写作计划。",
    "There is such a chapter already, perhaps from another window.": "已有这一章，可能来自其他窗口。",
    # The chapters of the book
    "The chapters have been rearranged, perhaps in another window. This is how they stand now; nothing was "
    "changed.": "章节顺序已变，可能来自其他窗口。现在显示的是最新顺序；什么都没有改动。",
    "The text of this chapter has changed, perhaps in another window, or is not saved yet. This is how it "
    "stands now; nothing was changed. Please try again.": (
        "这一章的正文已有改动，可能来自其他窗口，或尚未保存。现在显示的是最新内容；什么都没有改动，请再试。"
    ),
    "A chapter that has no text yet cannot be split or merged. Write it first.": (
        "还没有正文的章节不能拆分或合并，请先写作。"
    ),
    "The chapter is being written. Wait until it is done, or stop it first.": (
        "正在写这一章。请等它完成，或先停止。"
    ),
    "Put the cursor into the paragraph with which the new chapter is to begin; it cannot be the first.": (
        "请把光标放到新一章开头的段落里；不能是第一段。"
    ),
    "This is the last chapter; none stands behind it.": "这已是最后一章。",
    "Only a chapter without plot and without text can be removed.": "只有既无情节也无正文的章节可以移除。",
    # Tellings
    "Nothing is plotted yet, so there is nothing to tell in another way. Plot a chapter first.": (
        "还没有构想情节，无法换一种方式讲述。请先构想一章。"
    ),
    "There is not enough of the story yet to tell it {order}.": "故事还不够长，无法{order:message}讲述。",
    "in its own order": "按原有顺序",
    "from the middle of things": "从中间切入",
    "with flashbacks": "以倒叙",
    "with a flash-forward": "以预叙",
    "in a frame": "以框架叙事",
    "in parallel lines": "以多线并行",
    "All of this telling is written, as the story is now.": "就目前的故事，这个讲述版本已全部写完。",
    "Another telling has this name.": "另一个讲述版本已用了这个名称。",
    # A text compared with its story
    "This is too much text for the model in use to compare. Choose a model with a larger context window in "
    "Settings.": "文字太多，当前模型无法对照。请在“设置”中选择上下文窗口更大的模型。",
    "Comparing chapter {chapter} with the story": "正在将第 {chapter:number} 章与故事对照",
    "Comparing chapter {chapter} with the story (part {part} of {parts})": (
        "正在将第 {chapter:number} 章与故事对照（{part:number}/{parts:number}）"
    ),
    "{label} has been changed since the text was compared. Compare it again.": (
        "对照之后，{label:message}有了改动。请重新对照。"
    ),
    "You have decided on that already, perhaps in another window.": "你已经作过决定，可能是在其他窗口。",
    "Nothing in this text has changed since it was compared last.": "上次对照之后，正文没有变化。",
    "Choose what is to change, or refuse all of it.": "请选择要改动的内容，或全部拒绝。",
    "Chapter {chapter} is not the next chapter of the plot any more.": (
        "第 {chapter:number} 章已不是情节的下一章。"
    ),
    "Something else in this story is being worked on, or waits for your answer. See to it first.": (
        "这个故事还有别的任务在进行，或在等你回答。请先处理它。"
    ),
    # Suggestions for a passage
    "Going on from the cursor": "正在从光标处续写",
    "Thinking of what could happen next": "正在设想接下来会发生什么",
    "Finding other words for a passage": "正在改写一段文字",
    "The model gave the passage back as it is. Ask again, and say what you want to be different.": (
        "模型原样返回了这段文字。请再试一次，并说明希望有什么不同。"
    ),
    "The model answered without any words of the story. Ask again, or ask another model.": (
        "模型的回答中没有故事正文。请再试一次，或换一个模型。"
    ),
    "This is much longer than the passage: see whether it tells what comes later in your text.": (
        "这比原文长得多：请看看它是否写到了你后文的内容。"
    ),
    "This seems to be in another language than your text.": "这似乎与你的正文不是同一种语言。",
    "Your text has changed in the meantime. Select the passage again.": "正文在此期间有了改动，请重新选中这段文字。",
    "That is not among the options any more.": "选项中已没有这一项。",
    "The passage has {count} characters, more than the model in use can take in at once. Select less, or "
    "choose a larger model in Settings.": (
        "这段文字有 {count:number} 个字符，超出了当前模型一次能读的长度。请少选一些，或在“设置”中选择更大的模型。"
    ),
    "Select some words of your text first.": "请先选中正文中的文字。",
    "Say in a few words what you want of the passage.": "请简单说明希望怎样改这段文字。",
    "What you say has {count} characters; {most} are the most. Shorten it.": (
        "你的说明有 {count:number} 个字符，最多 {most:number} 个。请缩短。"
    ),
    # Talk
    "{person} answers": "{person} 正在回答",
    "The story answers your question": "正在从故事中回答你的问题",
    "A goal from your talk": "来自对话的目标",
    "Type a question first.": "请先输入问题。",
    "Your question has {count} characters; {most} are the most. Ask it in parts.": (
        "你的问题有 {count:number} 个字符，最多 {most:number} 个。请分几次提问。"
    ),
    "Your question has {count} characters, more than the model in use can read beside the story. Shorten it, or "
    "choose a larger model in Settings.": (
        "你的问题有 {count:number} 个字符，连同故事超出了当前模型能读的长度。请缩短，或在“设置”中选择更大的模型。"
    ),
    "They are not in the story by the end of chapter {chapter}. Choose a later chapter.": (
        "到第 {chapter:number} 章末尾，此人还没有出场。请选择更后的章节。"
    ),
    "{person} is dead by the end of chapter {chapter}. Choose an earlier chapter.": (
        "到第 {chapter:number} 章末尾，{person}已经去世。请选择更早的章节。"
    ),
    # What a value is refused for
    "two traits have the same name": "有两项特征同名",
    "a relationship needs two different people": "关系须在两个不同的人物之间",
    "a further model needs a name other than “{name}”": "另加的模型不能叫“{name}”",
    "two further models have the same name": "有两个另加的模型同名",
    "an event cannot be linked to itself": "事件不能与自身关联",
    "an outline names each event and each part once": "大纲中每个事件和片段只能出现一次",
    "a link or a part belongs to no event of the outline": "有关联或片段不属于大纲中的任何事件",
    "two rules have the same key": "有两条规则的键相同",
    **{what: chinese for what, (chinese, _, _) in _OF_MODELS.items()},
    # Tellings, and interactive fiction
    "This telling has no such chapter any more. Somebody may have changed it in another window.": (
        "这个讲述版本已没有这一章，可能在其他窗口中有改动。"
    ),
    "There is no way not taken in this story yet. It needs a chapter that had other candidates, or a what-if "
    "branch.": "这个故事还没有未走之路。需要某章有过别的候选情节，或有一个假设分支。",
    # A book that is read into the story
    "Reading chapter {chapter} into the story": "正在把第 {chapter:number} 章读入故事",
    "Chapter {chapter} is part of the story already.": "第 {chapter:number} 章已在故事中。",
    "This has been changed since the text was read, and would be as the text has it.": (
        "读过正文之后这里有了改动；采用后将以正文为准。"
    ),
    "This may be “{event}” of chapter {chapter} already, told again.": (
        "这可能就是第 {chapter:number} 章的“{event}”，再讲了一次。"
    ),
    "This may be “{event}” of what came before the story already, told again.": (
        "这可能就是前情中的“{event}”，再讲了一次。"
    ),
    "{person} is dead by now, and would not be any more.": "{person}此时已故；采用后将不再是。",
    "{name} is known already, as {occupation}. Take this only if it is somebody else of that name.": (
        "{name}已在故事中（{occupation}）。只有另有同名的人时才采用。"
    ),
    "Nobody in the story is called {name}, and nothing is said of them but a tie.": (
        "故事中没有人叫{name}，正文也只提到一段关系。"
    ),
    # A mystery game
    "Making the case": "正在设计案件",
    "Writing the host guide": "正在写主持人手册",
    "Writing the booklet of {person}: {part}": "正在写{person}的手册：{part:message}",
    "Trying to solve the case": "正在试着破案",
    "Every booklet is written. To have one written anew, open it.": (
        "所有玩家手册都已写好。要重写某一本，请打开它。"
    ),
    "This clue is gone. It may have been removed in another window.": (
        "这条线索已不存在，可能在其他窗口中被移除了。"
    ),
    "This person does not play in the mystery.": "这个人物不在推理游戏中。",
    "This mystery is gone.": "这个推理游戏已不存在。",
    "There is no crime yet: an event in which somebody acts and somebody else is affected.": (
        "还没有罪行：需要一个有人行动、另有人受影响的事件。"
    ),
    "The crime has no victim: nobody in the event is affected by what others do.": (
        "罪行没有受害者：事件中没有人受他人行动的影响。"
    ),
    "Nobody did it yet: say who did, or let somebody act in the event.": (
        "还没有凶手：请说明是谁，或让某人在事件中行动。"
    ),
    "Whoever did it is not among the people who are played.": "凶手不在扮演的人物之中。",
    "Too few people play: besides whoever did it, there have to be at least {least}.": (
        "玩家太少：除凶手外，至少要有 {least} 人。"
    ),
    "{found} {what}. Add a clue: {clue}.": "{found:message}{what:message}。请添加线索：{clue:message}。",
    "No clue shows": "没有线索表明",
    "Only one clue shows": "只有一条线索表明",
    "who did it": "谁是凶手",
    "how it was done": "手法",
    "why it was done": "动机",
    "that there was a chance to do it": "有作案的机会",
    "what {culprit} did afterwards, or somebody who saw or heard it": (
        "{culprit}事后做了什么，或有人目睹、听见"
    ),
    "the thing that it was done with, or a trace of how it was done": "作案的工具，或作案手法的痕迹",
    "something that happened between {culprit} and {victim} before": "{culprit}与{victim}之间以前发生的事",
    "somebody who saw {culprit} near the place at the time": "有人当时在附近看见{culprit}",
    "{found} {person}. Add a clue that shows {person} elsewhere at the time, or without a reason to do it.": (
        "{found:message}{person}。请添加一条：{person}当时在别处，或没有动机。"
    ),
    "Nothing speaks for": "没有线索能排除",
    "Only one clue speaks for": "只有一条线索能排除",
    "{person} is to have done it, and remembers nothing of it: let {person} act in “{crime}”.": (
        "{person}应是凶手，却对此毫无记忆：请让{person}在“{crime}”中行动。"
    ),
    "{person} knows from the beginning who did it, because {person} was there or was told. Leave {person} out, "
    "or let {person} be told something else.": (
        "{person}从一开始就知道谁是凶手，因为{person}在场或听说过。请不要安排{person}，或让{person}听到别的说法。"
    ),
    "{person} knows from {round} on who did it, because {person} was there or was told. Leave {person} out, or "
    "let {person} be told something else.": (
        "{person}从{round:message}起就知道谁是凶手，因为{person}在场或听说过。请不要安排{person}，"
        "或让{person}听到别的说法。"
    ),
    "Round {number}": "第 {number:number} 轮",
    **{
        f"{what} {advice}": f"{chinese}{advice_in_chinese}"
        for what, (chinese, advice, advice_in_chinese) in _OF_MODELS.items()
    },
}
